// Makes the site work without a network after the first visit: it answers the site's own files from a cache, and nothing else. It
// hears no messages, and what is not one of these files passes it by. The build fills in the two constants.
"use strict";
const version = "VERSION";
const files = ["FILES"];

const listed = new Set(files.map((file) => new URL(file, registration.scope).href));

addEventListener("install", (event) => {
  event.waitUntil(caches.open(version).then((cache) => cache.addAll([...listed])).then(() => skipWaiting()));
});

// A new version takes the place of the old one, whose cache goes.
addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("contextscope-") && name !== version;
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
    .then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.search = url.hash = "";
  if (event.request.method !== "GET" || !listed.has(url.href)) return;
  event.respondWith(caches.open(version).then((cache) => cache.match(url.href)).then((hit) => hit ?? fetch(event.request)));
});
