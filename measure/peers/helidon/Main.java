import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.common.parameters.Parameters;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

final class Main {

  private static final Header TEXT = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");
  private static final HeaderName NAME = HeaderNames.create(Peer.HEADER);
  private static final Header JSON = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/json");

  public static void main(String[] args) {
    WebServerConfig.Builder server = WebServer.builder().port(Peer.PORT).maxPayloadSize(Peer.LIMIT).routing(Main::routes);
    if (Peer.KEY_STORE != null) {
      Keys keys = Keys.builder().keystore(store -> store.keystore(Resource.create(Path.of(Peer.KEY_STORE))).passphrase(Peer.PASSWORD).keyAlias(Peer.KEY_ALIAS)).build();
      server.tls(tls -> tls.privateKey(keys).privateKeyCertChain(keys));
    }
    server.build().start();
    Peer.ready();
  }

  private static void routes(HttpRouting.Builder routing) {
    if (Boolean.getBoolean("count")) {
      routing.any((req, res) -> {
        Peer.enter(req.path().path());
        res.next();
      });
    }
    for (int i = 0; i < 50; i++) {
      routing.get("/other" + i + "/{id}", (req, res) -> res.send("other"));
    }
    routing.get("/plaintext", (req, res) -> res.header(TEXT).send(Peer.HELLO));
    routing.get("/json", (req, res) -> res.header(JSON).send(Peer.json()));
    routing.get("/users/{id}/posts/{post}", (req, res) -> {
      var params = req.path().pathParameters();
      res.header(TEXT).send(params.get("id") + " " + params.get("post"));
    });
    routing.post("/echo", (req, res) -> {
      byte[] answer = Peer.echo(req.content().as(byte[].class));
      if (answer == null) {
        res.status(Status.BAD_REQUEST_400).send();
      } else {
        res.header(JSON).send(answer);
      }
    });
    routing.get("/header", (req, res) -> res.header(TEXT).send(req.headers().get(NAME).get()));
    routing.post("/fields", (req, res) -> {
      Parameters form = req.content().as(Parameters.class);
      res.header(TEXT).send(Peer.fields(form::get));
    });
    routing.get("/list", (req, res) -> res.header(JSON).send(Peer.list()));
    routing.get("/mebibyte", (req, res) -> res.header(TEXT).send(Peer.MEBIBYTE));
    routing.get("/slow", (req, res) -> res.send(Peer.sleep(req.query().get("ms"))));
    routing.get("/file", (req, res) -> {
      try (OutputStream out = res.outputStream()) {
        Files.copy(Peer.file(), out);
      }
    });
    routing.get("/count", (req, res) -> res.send(Peer.entered()));
  }
}
