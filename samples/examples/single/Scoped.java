import module dev.percolate;

static final ScopedValue<String> USER = ScopedValue.newInstance();

void main() throws Exception {
  App app = new App();
  app.use((req, res, next) -> ScopedValue.where(USER, req.get("X-User")).run(next::run));
  app.use(BodyParsers.text());
  app.post("/", (req, res) -> res.send(USER.get() + " says " + req.body()));
  IO.println("Listening at " + app.listen(3000).uri());
}
