module contextscope

go 1.26

require (
	github.com/hack-pad/safejs v0.1.0
	github.com/klauspost/compress v1.20.4
	github.com/vugu/vugu v0.4.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/vugu/html v0.0.0-20190914200101-c62dc20b8289 // indirect
	github.com/vugu/vjson v0.0.0-20200505061711-f9cbed27d3d9 // indirect
	github.com/vugu/xxhash v0.0.0-20191111030615-ed24d0179019 // indirect
)

tool github.com/vugu/vugu/cmd/vugugen
