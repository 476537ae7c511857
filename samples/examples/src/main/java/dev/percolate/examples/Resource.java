package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A JSON resource (CRUD): list all, and create, read, replace and delete one.
 *
 * <pre>curl localhost:3000/tasks -H 'Content-Type: application/json' -d '{"title": "Sow"}'</pre>
 */
final class Resource {
  private record Task(String title, boolean done) {}

  private record NewTask(String title) {}

  private final Map<Integer, Task> tasks = new ConcurrentSkipListMap<>();
  private final AtomicInteger last = new AtomicInteger();

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    Resource resource = new Resource();
    App app = new App();
    app.use(BodyParsers.json());
    app.get("/tasks", (req, res) -> res.json(resource.tasks));
    app.post("/tasks", resource::create);
    app.get("/tasks/:id", (req, res) -> res.json(found(resource.tasks.get(id(req)))));
    app.put("/tasks/:id", resource::replace);
    app.delete("/tasks/:id", (req, res) -> res.json(found(resource.tasks.remove(id(req)))));
    return app;
  }

  private void create(Request req, Response res) {
    int id = last.incrementAndGet();
    tasks.put(id, new Task(req.body(NewTask.class).title(), false));
    res.status(201).location("/tasks/" + id).json(tasks.get(id));
  }

  private void replace(Request req, Response res) {
    res.json(found(tasks.computeIfPresent(id(req), (id, old) -> req.body(Task.class))));
  }

  private static int id(Request req) {
    return req.params().required("id", int.class); // not a number: 400
  }

  private static Task found(Task task) {
    return Optional.ofNullable(task).orElseThrow(() -> new HttpError(404));
  }
}
