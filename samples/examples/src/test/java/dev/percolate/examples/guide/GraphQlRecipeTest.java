package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.analysis.MaxQueryComplexityInstrumentation;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Code of the GraphQL recipe. */
final class GraphQlRecipeTest {

  // #region graphql
  static final Key<String> USER = Key.of("visitor", String.class);

  record Book(String id, String title) {}

  record Question(
      String query, @Nullable String operationName, @Nullable Map<String, Object> variables) {}

  static GraphQL books(Map<String, Book> books) {
    var types =
        new SchemaParser()
            .parse(
                """
                type Query { book(id: ID!): Book, me: String }
                type Book { id: ID!, title: String! }
                """);
    var wiring =
        RuntimeWiring.newRuntimeWiring()
            .type(
                "Query",
                query ->
                    query
                        .dataFetcher("book", call -> books.get(call.<String>getArgument("id")))
                        .dataFetcher("me", call -> call.getGraphQlContext().get("user")))
            .build();
    return GraphQL.newGraphQL(new SchemaGenerator().makeExecutableSchema(types, wiring))
        .instrumentation(new MaxQueryComplexityInstrumentation(200)) // fields per query
        .build();
  }

  static App app(GraphQL graphql, Middleware auth) {
    App app = new App();
    app.post(
        "/graphql",
        auth,
        BodyParsers.json(),
        (req, res) -> {
          Question asked = req.body(Question.class);
          var input =
              ExecutionInput.newExecutionInput(asked.query())
                  .operationName(asked.operationName())
                  .variables(asked.variables() == null ? Map.of() : asked.variables())
                  .graphQLContext(Map.of("user", req.attr(USER)));
          res.json(graphql.execute(input.build()).toSpecification());
        });
    return app;
  }

  // #endregion graphql

  private static final App APP =
      app(
          books(Map.of("7", new Book("7", "The Waves"))),
          (req, res, next) -> {
            req.attr(USER, "ann");
            next.run();
          });

  private static Reply ask(Object question) {
    return Call.post("/graphql").json(question).to(APP);
  }

  @Test
  void queriesUseVariables() {
    String query = "query($id: ID!) { book(id: $id) { title } me }";
    Reply reply = ask(Map.of("query", query, "variables", Map.of("id", "7")));
    assertEquals(200, reply.status());
    Map<String, Object> data = Map.of("book", Map.of("title", "The Waves"), "me", "ann");
    assertEquals(Map.of("data", data), reply.json(Map.class));
  }

  @Test
  void invalidQueriesAreRejected() {
    assertEquals(400, ask(Map.of("variables", Map.of())).status());
    assertTrue(ask(Map.of("query", "{ nothing }")).text().contains("FieldUndefined"));
    StringBuilder query = new StringBuilder("{ ");
    for (int i = 0; i < 300; i++) {
      query.append('a').append(i).append(": me ");
    }
    Reply rejected = ask(Map.of("query", query.append('}').toString()));
    assertTrue(rejected.text().contains("complexity"), rejected.text());
  }
}
