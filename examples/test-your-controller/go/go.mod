module example.test/mirror

go 1.19
