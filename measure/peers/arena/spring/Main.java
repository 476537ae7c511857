import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;

/** Spring Boot with Tomcat, on virtual threads. Classes without a package are not scanned for components. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Main.Routes.class)
@RestController
public class Main {

  public static void main(String[] args) {
    Map<String, Object> settings =
        new HashMap<>(
            Map.of(
                "server.port", Arena.PORT,
                "spring.threads.virtual.enabled", "true",
                "spring.main.banner-mode", "off",
                "logging.level.root", "warn",
                "server.http2.enabled", "true",
                "server.compression.enabled", "true",
                "server.compression.mime-types", "application/json"));
    if (Arena.SECURE) {
      settings.put("server.ssl.certificate", Arena.CERTIFICATE.toString());
      settings.put("server.ssl.certificate-private-key", Arena.KEY.toString());
    }
    SpringApplication application = new SpringApplication(Main.class);
    application.setDefaultProperties(settings);
    application.addListeners((ApplicationListener<ApplicationReadyEvent>) event -> Arena.ready());
    application.run();
  }

  @GetMapping(path = "/pipeline", produces = MediaType.TEXT_PLAIN_VALUE)
  String pipeline() {
    return "ok";
  }

  @GetMapping(
      path = {"/baseline11", "/baseline2"},
      produces = MediaType.TEXT_PLAIN_VALUE)
  String sum(@RequestParam int a, @RequestParam int b) {
    return Integer.toString(a + b);
  }

  @PostMapping(path = "/baseline11", produces = MediaType.TEXT_PLAIN_VALUE)
  String sum(@RequestParam int a, @RequestParam int b, @RequestBody String body) {
    return Integer.toString(a + b + Integer.parseInt(body.strip()));
  }

  @GetMapping("/json/{count}")
  Arena.Items<Arena.Priced> priced(
      @PathVariable int count, @RequestParam(defaultValue = "1") int m) {
    return Arena.priced(count, m);
  }

  @PostMapping(path = "/upload", produces = MediaType.TEXT_PLAIN_VALUE)
  String upload(InputStream body) throws IOException {
    return Arena.count(body);
  }

  @GetMapping("/async-db")
  Arena.Items<Arena.Item> found(
      @RequestParam(defaultValue = "10") int min,
      @RequestParam(defaultValue = "50") int max,
      @RequestParam(defaultValue = "50") String limit) {
    return Table.priced(min, max, Arena.limit(limit, 50));
  }

  @GetMapping("/crud/items")
  Arena.Page page(
      @RequestParam(defaultValue = "electronics") String category,
      @RequestParam(defaultValue = "1") int page,
      @RequestParam(defaultValue = "10") String limit)
      throws SQLException {
    return Table.page(category, page, Arena.limit(limit, 10));
  }

  @PostMapping("/crud/items")
  @ResponseStatus(HttpStatus.CREATED)
  Arena.Item put(@RequestBody Arena.NewItem sent) throws SQLException {
    return Table.put(sent);
  }

  @GetMapping("/crud/items/{id}")
  ResponseEntity<Arena.Item> find(@PathVariable int id) throws SQLException {
    Table.Read read = Table.find(id);
    return read == null
        ? ResponseEntity.notFound().build()
        : ResponseEntity.ok().header("X-Cache", read.cached() ? "HIT" : "MISS").body(read.item());
  }

  @PutMapping("/crud/items/{id}")
  ResponseEntity<Arena.Changed> change(@PathVariable int id, @RequestBody Arena.Change sent)
      throws SQLException {
    return ResponseEntity.ofNullable(Table.change(id, sent));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableWebSocket
  static class Routes implements WebMvcConfigurer, WebSocketConfigurer {

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
      if (Files.isDirectory(Arena.FILES)) {
        registry
            .addResourceHandler("/static/**")
            .addResourceLocations(Arena.FILES.toUri().toString())
            .resourceChain(false)
            .addResolver(new EncodedResourceResolver());
      }
    }

    @Override
    public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
      registry.addHandler(new Echo(), "/ws").setAllowedOrigins("*");
    }
  }

  /** Returns each message. */
  static class Echo extends AbstractWebSocketHandler {

    @Override
    public void handleMessage(WebSocketSession session, WebSocketMessage<?> message)
        throws Exception {
      session.sendMessage(message);
    }
  }
}
