package dev.percolate.demo;

import dev.percolate.core.ListenOptions;
import dev.percolate.core.Server;
import dev.percolate.core.Threads;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.parsers.BodyParsers;

/**
 * A notice board: a page with a form, a JSON API over the same notices, and a mounted application
 * that tells how the process is.
 *
 * <p>The variable {@code PORT} changes the port, {@code THREADS} the thread mode. With the system
 * property {@code stop.with.parent} it ends when the process that started it does.
 */
public final class Demo {

  private Demo() {}

  /**
   * Serves until the process is told to end.
   *
   * @param args none
   * @throws Exception if the port cannot be bound
   */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    String threads = System.getenv().getOrDefault("THREADS", Threads.ofThisJdk().toString());
    Server server = app(new Notices()).listen(ListenOptions.ofPort(port).threads(threads));
    System.out.println("The notice board is at " + server.uri() + ", threads: " + threads);
    if (Boolean.getBoolean("stop.with.parent")) {
      Thread watch = new Thread(Demo::stopWithParent, "parent-watch");
      watch.setDaemon(true);
      watch.start();
    }
  }

  private static void stopWithParent() {
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
    System.exit(0);
  }

  static App app(Notices notices) {
    App app = new App();
    app.set("title", "Notice board");
    app.use(RequestLogger.of("dev"));
    app.get("/", (req, res) -> res.send(Page.board("Notice board", notices.all())));
    app.post("/notices", BodyParsers.urlencoded().limit("10kb"), new NoticeForm(notices));
    app.get("/style.css", (req, res) -> res.type("css").send(Page.STYLE));
    app.use("/api/notices", NoticeApi.app(notices));
    app.use("/status", Status.app(notices));
    return app;
  }
}
