import module dev.percolate;

void main() throws Exception {
  App app = new App();
  app.get("/", (req, res) -> res.send("Hello, world!"));
  IO.println("Listening at " + app.listen(3000).uri());
}
