package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the table of paths on the site describes the behavior of routes. */
final class PathTableTest {

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @Test
  void eachRowDescribesItsMatches() throws Exception {
    String page = Files.readString(Modules.ROOT.resolve("docs/site/pages/guide/routing.md"));
    List<String> rows =
        page.substring(page.indexOf("{#paths}"))
            .lines()
            .dropWhile(line -> !line.startsWith("|---"))
            .skip(1)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertTrue(rows.size() >= 10, rows::toString);
    for (String row : rows) {
      String[] cells = row.split("(?<!\\\\)\\|", -1);
      App app = new App();
      app.get(codes(cells[1]).get(0), (req, res) -> res.json(req.params().asMap()));
      Map<String, String> parameters = new TreeMap<>();
      for (String parameter : codes(cells[3])) {
        parameters.put(parameter.split("=", 2)[0], parameter.split("=", 2)[1]);
      }
      for (String target : codes(cells[2])) {
        Reply reply = Call.get(target).to(app);
        assertEquals(200, reply.status(), row);
        if (codes(cells[2]).size() == 1 || parameters.isEmpty()) {
          assertEquals(parameters, reply.json(Map.class), row);
        }
      }
      for (String target : codes(cells[4])) {
        assertEquals(404, Call.get(target).to(app).status(), row + target);
      }
    }
  }

  private static List<String> codes(String cell) {
    List<String> codes = new ArrayList<>();
    CODE.matcher(cell).results().forEach(found -> codes.add(found.group(1).replace("\\|", "|")));
    return codes;
  }
}
