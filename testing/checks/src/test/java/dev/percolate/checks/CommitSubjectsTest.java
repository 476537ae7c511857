package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that commit subjects are {@code area: imperative}, with at most 65 characters. */
final class CommitSubjectsTest {

  /** The time of the first commit that the rule applies to. */
  private static final String SINCE = "2026-11-27T07:45:00Z";

  private static final Pattern SUBJECT =
      Pattern.compile(
          "(?=.{1,65}$)[a-z0-9.-]+(?:, ?[a-z0-9.-]+)*: "
              + "(?!(?i:Say|Let|Have|See that|Keep)\\b)\\S.*");

  @Test
  void subjectsFollowTheRule() throws Exception {
    assumeTrue(Files.exists(Modules.ROOT.resolve(".git")), "not a clone");
    String subjects = SameCode.git("log", "--since=" + SINCE, "--no-merges", "--format=%s");
    assertEquals(List.of(), subjects.lines().filter(subject -> !isValid(subject)).toList());
  }

  @Test
  void subjectsNameTheirAreaAndStartWithAVerb() {
    assertTrue(isValid("nio: cache encoded response header lines"));
    assertTrue(isValid("docs,code: See section 4 of RFC 9110"));
    assertTrue(isValid("core: keepalive is a setting"));
    assertFalse(isValid("Cache encoded response header lines"));
    assertFalse(isValid("docs: Say what was seen of virtual threads, not why"));
    assertFalse(isValid("core: keep the response"));
    assertFalse(isValid("core: see that responses end"));
  }

  @Test
  void subjectsHaveAtMost65Characters() {
    assertTrue(isValid("core: " + "a".repeat(59)));
    assertFalse(isValid("core: " + "a".repeat(60)));
  }

  private static boolean isValid(String subject) {
    return SUBJECT.matcher(subject).matches();
  }
}
