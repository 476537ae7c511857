package dev.percolate.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.parsers.JsonParser;
import dev.percolate.servlet.MiddlewareFilter;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Tests an application inside Spring Boot, with the library versions of its parent POM. */
final class SpringBootTest {

  private static ConfigurableApplicationContext context;

  record Line(String article, int count) {}

  record Order(String customer, BigDecimal total, Instant ordered, List<Line> lines) {}

  /** A JavaBean, for comparison with records. */
  public static final class Customer {
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }
  }

  @SpringBootApplication
  @RestController
  static class Shop {

    @Bean
    MiddlewareFilter percolate() {
      App app = new App().set("json spaces", 0);
      JsonParser json = BodyParsers.json();
      app.post("/orders", json, (req, res) -> res.json(req.body(Order.class)));
      app.post("/customers", json, (req, res) -> res.json(req.body(Customer.class)));
      app.post("/lines", json, (req, res) -> res.json(req.body(Line.class)));
      return new MiddlewareFilter(app);
    }

    @PostMapping("/spring/orders")
    Line ofSpring(@RequestBody Line line) {
      return line;
    }
  }

  @BeforeAll
  static void start() {
    context = SpringApplication.run(Shop.class, "--server.port=0", "--spring.main.banner-mode=off");
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @Test
  void aRecordIsReadAndWrittenAsJson() throws Exception {
    String order =
        "{\"customer\":\"Ann\",\"total\":12.50,\"ordered\":\"2026-01-02T03:04:05.000Z\","
            + "\"lines\":[{\"article\":\"tea\",\"count\":2}]}";
    HttpResponse<String> answer = post("/orders", order);
    assertEquals("200 " + order, answer.statusCode() + " " + answer.body());
  }

  @Test
  void aBeanIsReadAndWrittenAsJson() throws Exception {
    HttpResponse<String> answer = post("/customers", "{\"name\":\"Ann\"}");
    assertEquals("200 {\"name\":\"Ann\"}", answer.statusCode() + " " + answer.body());
  }

  @Test
  void missingAndInvalidValuesAre400() throws Exception {
    assertEquals(400, post("/lines", "{\"article\":\"tea\"}").statusCode());
    assertEquals(400, post("/lines", "{\"count\":\"many\"}").statusCode());
    assertEquals(400, post("/lines", "{\"count\":null}").statusCode());
  }

  @Test
  void springUsesItsOwnJackson() throws Exception {
    HttpResponse<String> answer = post("/spring/orders", "{\"article\":\"tea\",\"count\":2}");
    assertEquals(
        "200 {\"article\":\"tea\",\"count\":2}", answer.statusCode() + " " + answer.body());
  }

  private static HttpResponse<String> post(String path, String json)
      throws IOException, InterruptedException {
    String port = context.getEnvironment().getProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
