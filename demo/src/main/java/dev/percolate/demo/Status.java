package dev.percolate.demo;

import dev.percolate.framework.App;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells how the process is; an application to be mounted. */
final class Status {

  private Status() {}

  static App app(Notices notices) {
    App app = new App();
    app.get(
        "/",
        (req, res) -> {
          Map<String, Object> status = new LinkedHashMap<>();
          status.put("mounted at", app.path());
          status.put("notices", notices.all().size());
          status.put("uptime ms", ManagementFactory.getRuntimeMXBean().getUptime());
          status.put("thread", Thread.currentThread().toString());
          res.json(status);
        });
    return app;
  }
}
