// Package pb is the protocol between assay and a provider that is a program of its own: provider.proto, and the code that is
// generated from it.
package pb

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative provider.proto
