import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;

/** Quarkus REST. What may block runs on virtual threads, the rest on the event loops. */
@Path("/")
public class Main {

  void routes(@Observes Router router) {
    router
        .get("/static/*")
        .handler(StaticHandler.create(FileSystemAccess.ROOT, Arena.FILES.toString()));
  }

  void ready(@Observes StartupEvent event) {
    Arena.ready();
  }

  @GET
  @Path("/pipeline")
  @Produces(MediaType.TEXT_PLAIN)
  @NonBlocking
  public String pipeline() {
    return "ok";
  }

  @GET
  @Path("/baseline11")
  @Produces(MediaType.TEXT_PLAIN)
  @NonBlocking
  public String sum(@QueryParam("a") int a, @QueryParam("b") int b) {
    return Integer.toString(a + b);
  }

  @GET
  @Path("/baseline2")
  @Produces(MediaType.TEXT_PLAIN)
  @NonBlocking
  public String sumOverHttp2(@QueryParam("a") int a, @QueryParam("b") int b) {
    return Integer.toString(a + b);
  }

  @POST
  @Path("/baseline11")
  @Consumes(MediaType.TEXT_PLAIN)
  @Produces(MediaType.TEXT_PLAIN)
  @NonBlocking
  public String sum(@QueryParam("a") int a, @QueryParam("b") int b, String body) {
    return Integer.toString(a + b + Integer.parseInt(body.strip()));
  }

  @GET
  @Path("/json/{count}")
  @Produces(MediaType.APPLICATION_JSON)
  @NonBlocking
  public Arena.Items<Arena.Priced> priced(
      @PathParam("count") int count, @QueryParam("m") @DefaultValue("1") int m) {
    return Arena.priced(count, m);
  }

  @POST
  @Path("/upload")
  @Consumes(MediaType.APPLICATION_OCTET_STREAM)
  @Produces(MediaType.TEXT_PLAIN)
  @RunOnVirtualThread
  public String upload(InputStream body) throws IOException {
    return Arena.count(body);
  }

  @GET
  @Path("/async-db")
  @Produces(MediaType.APPLICATION_JSON)
  @RunOnVirtualThread
  public Arena.Items<Arena.Item> found(
      @QueryParam("min") @DefaultValue("10") int min,
      @QueryParam("max") @DefaultValue("50") int max,
      @QueryParam("limit") String limit) {
    return Table.priced(min, max, Arena.limit(limit, 50));
  }

  @GET
  @Path("/crud/items")
  @Produces(MediaType.APPLICATION_JSON)
  @RunOnVirtualThread
  public Arena.Page page(
      @QueryParam("category") String category,
      @QueryParam("page") @DefaultValue("1") int page,
      @QueryParam("limit") String limit)
      throws SQLException {
    return Table.page(category, page, Arena.limit(limit, 10));
  }

  @POST
  @Path("/crud/items")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  @RunOnVirtualThread
  public Response put(Arena.NewItem sent) throws SQLException {
    return Response.status(201).entity(Table.put(sent)).build();
  }

  @GET
  @Path("/crud/items/{id}")
  @Produces(MediaType.APPLICATION_JSON)
  @RunOnVirtualThread
  public Response find(@PathParam("id") int id) throws SQLException {
    Table.Read read = Table.find(id);
    return read == null
        ? Response.status(404).build()
        : Response.ok(read.item()).header("X-Cache", read.cached() ? "HIT" : "MISS").build();
  }

  @PUT
  @Path("/crud/items/{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  @RunOnVirtualThread
  public Response change(@PathParam("id") int id, Arena.Change sent) throws SQLException {
    Arena.Changed changed = Table.change(id, sent);
    return changed == null ? Response.status(404).build() : Response.ok(changed).build();
  }
}
