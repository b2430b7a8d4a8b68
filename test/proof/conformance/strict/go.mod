module strict

go 1.21
