package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * File uploads with a form. The files are temporary, and deleted after the response.
 *
 * <pre>curl localhost:3000/photos -F title=Cat -F photo=@README.md</pre>
 */
final class Uploads {

  private record Album(String title, List<Upload> photo) {}

  private static final String PAGE =
      """
      <form method="post" action="/photos" enctype="multipart/form-data">
      <input name="title"> <input type="file" name="photo" multiple> <button>Send</button>
      </form>
      """;

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.get("/", (req, res) -> res.send(PAGE));
    app.post("/photos", Multipart.files().limit("5mb").maxFiles(3), Uploads::show);
    return app;
  }

  private static void show(Request req, Response res) throws IOException {
    Album album = req.form(Album.class); // 415 if the body is not a form
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("title", album.title());
    for (Upload file : album.photo()) {
      // To keep a file, call Files.move(file.path(), target) with a file name of your own.
      answer.put(file.name(), Files.size(file.path()) + " bytes");
    }
    res.json(answer);
  }
}
