package dev.percolate.examples;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Tls;
import dev.percolate.framework.App;
import java.nio.file.Path;

/**
 * One application on two ports, with HTTP and HTTPS. The arguments are a key store (PKCS #12) and
 * its password.
 *
 * <pre>
 * keytool -genkeypair -keyalg EC -dname CN=localhost -keystore /tmp/server.p12 -storepass secret
 * curl -k https://localhost:3443
 * </pre>
 */
final class HttpAndHttps {

  public static void main(String[] args) throws Exception {
    App app = app();
    ListenOptions https =
        ListenOptions.ofPort(Integer.getInteger("securePort", 3443))
            .tls(Tls.keyStore(Path.of(args[0]), args[1]));
    System.out.println("Listening at " + app.listen(Integer.getInteger("port", 3000)).uri());
    System.out.println("Listening at " + app.listen(https).uri());
  }

  static App app() {
    App app = new App();
    app.get(
        "/",
        (req, res) ->
            res.send(req.secure() ? "This connection is encrypted." : "This is plain text."));
    return app;
  }
}
