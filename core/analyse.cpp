namespace likewise {}
