// Reads documents, one JSON text a line, and prints what breaks the schema that is named on the command line: nothing for none.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Ajv from "ajv/dist/2020.js";

const validate = new Ajv({ allErrors: false, strict: true, strictRequired: false }).compile(JSON.parse(readFileSync(process.argv[2], "utf8")));
let n = 0;
for await (const line of createInterface({ input: process.stdin })) {
	n++;
	if (!validate(JSON.parse(line))) console.log(n + " " + JSON.stringify(validate.errors.slice(0, 2)));
}
console.log("read " + n);
