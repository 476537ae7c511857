package dev.percolate.examples;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A photo site with login and logout, file uploads, CSRF protection and flash messages. Uses Pebble
 * and Handlebars templates.
 *
 * <p>Open http://localhost:3000 in a browser. User: ann, password: secret.
 */
final class PhotoSite {
  private record Login(String name, String password) {}

  private record Photo(String title, String by, String type, Path file) {}

  record NewPhoto(String title, Upload file) {
    NewPhoto {
      if (!Set.of("image/png", "image/jpeg").contains(String.valueOf(file.type()))) {
        throw new HttpError(415, "a photo must be a PNG or JPEG file");
      }
    }
  }

  private final List<Photo> photos = new CopyOnWriteArrayList<>();
  private final Path directory = Files.createTempDirectory("photos");

  private PhotoSite() throws IOException {}

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() throws IOException {
    PhotoSite site = new PhotoSite();
    App app = new App().set("view engine", "peb");
    app.use(Sessions.of("a secret of sixteen letters or more"));
    app.all("/", PhotoSite::authenticate).use("/photos", PhotoSite::authenticate);
    app.use(BodyParsers.urlencoded(), Multipart.files().limit("5mb"), Csrf.of());
    app.route("/login")
        .get((req, res) -> res.render("login", Map.of("token", Csrf.token(req))))
        .post(PhotoSite::login);
    app.get("/", site::list);
    app.get("/photos/:id(\\d+)", site::show);
    app.post("/photos", site::add);
    return app.post("/logout", PhotoSite::logout);
  }

  private static void authenticate(Request req, Response res, Next next) {
    if (req.attr(Sessions.SESSION).get("user") != null) {
      next.run();
    } else {
      res.redirect(303, "/login");
    }
  }

  private static void login(Request req, Response res) throws IOException {
    Login login = req.form(Login.class);
    if (!login.equals(new Login("ann", "secret"))) {
      throw new HttpError(401, "wrong name or password");
    }
    req.attr(Sessions.SESSION).regenerate().set("user", login.name());
    res.redirect(303, "/");
  }

  private static void logout(Request req, Response res) throws IOException {
    req.attr(Sessions.SESSION).destroy();
    res.redirect(303, "/login");
  }

  private void list(Request req, Response res) {
    List<String> messages = req.attr(Sessions.SESSION).flashes();
    res.render(
        "photos.hbs", Map.of("photos", photos, "messages", messages, "token", Csrf.token(req)));
  }

  private void show(Request req, Response res) {
    int id = req.params().required("id", int.class);
    if (id >= photos.size()) {
      throw new HttpError(404, "no such photo");
    }
    res.type(photos.get(id).type()).sendFile(photos.get(id).file());
  }

  private void add(Request req, Response res) throws IOException {
    NewPhoto photo = req.form(NewPhoto.class);
    Session session = req.attr(Sessions.SESSION);
    Path kept = Files.createTempFile(directory, "photo", null);
    Files.move(photo.file().path(), kept, StandardCopyOption.REPLACE_EXISTING);
    String user = session.get("user", String.class);
    photos.add(new Photo(photo.title(), user, photo.file().type(), kept));
    session.flash(photo.title() + " was saved");
    res.redirect(303, "/");
  }
}
