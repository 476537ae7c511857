package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Model, view, controller: the controller renders a template with values of the model.
 *
 * <pre>curl -L localhost:3000/pets -d name=Rex -d kind=dog</pre>
 */
final class Mvc {

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.set("view engine", "peb").locals(Map.of("title", "Pets"));
    Pets pets = new Pets(new CopyOnWriteArrayList<>(List.of(new Pet("Tobi", "ferret"))));
    app.get("/pets", pets::list);
    app.post("/pets", BodyParsers.urlencoded(), pets::add);
    app.get("/pets/:name", pets::show);
    return app;
  }

  private record Pet(String name, String kind) {}

  private record Pets(List<Pet> model) {

    void list(Request req, Response res) {
      res.render("pets", Map.of("pets", model));
    }

    void add(Request req, Response res) {
      model.add(req.form(Pet.class)); // missing fields are a 400
      res.redirect(303, "/pets");
    }

    void show(Request req, Response res) {
      Pet pet =
          model.stream()
              .filter(one -> one.name().equals(req.params().get("name")))
              .findFirst()
              .orElseThrow(() -> new HttpError(404, "There is no such pet."));
      res.render("pet", Map.of("pet", pet));
    }
  }
}
