package dev.percolate.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormTest {

  private static String simple(String body) throws FormException {
    return Form.simple().parse(body, UTF_8).toString();
  }

  private static String extended(String body) throws FormException {
    return Form.extended().parse(body, UTF_8).toString();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a=1&b=2|{a=1, b=2}",
        "a=1&a=2&a=3|{a=[1, 2, 3]}",
        "a[b]=c|{a[b]=c}",
        "[a]=1|{a=1}",
        "[]=x|{0=x}",
        "a[]=1&a[]=2|{a[]=[1, 2]}",
        "[a][b]=1|{a][b=1}",
        "__proto__=1&a=2|{a=2}",
        "__proto__[x]=1|{__proto__[x]=1}",
        "=x&&a|{a=}",
        "+=1|{ =1}",
        "a;b=1|{a;b=1}",
        "a=1&a|{a=[1, ]}",
        "a=b=c|{a=b=c}",
        "a=b]=c|{a=b]=c}",
        "a=%5Bx%5d|{a=[x]}",
        "a=%255B|{a=%5B}",
        "a%5bb%5D=c|{a[b]=c}",
        "[5]=x|{5=x}"
      })
  void simpleFormsHaveNamesAndValues(String body, String expected) throws FormException {
    assertEquals(expected, simple(body));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a=x+y%20z|{a=x y z}",
        "a=%zz+b%20c|{a=%zz b%20c}",
        "%zz=%20|{%zz= }",
        "a=%C3%A9é|{a=éé}",
        "a=%C3|{a=%C3}",
        "a=%ED%A0%80|{a=%ED%A0%80}",
        "a=%C0%80|{a=%C0%80}"
      })
  void namesAndValuesAreDecodedWholeOrNotAtAll(String body, String expected) throws FormException {
    assertEquals(expected, simple(body));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a[]=1&a[]=2|{a=[1, 2]}",
        "a=1&a[]=2|{a=[1, 2]}",
        "a[0]=1&a[]=2|{a=[1, 2]}",
        "a[]=1&a=2|{a=[1, 2]}",
        "a[0]=1&a[0]=2|{a=[[1, 2]]}",
        "a[][b]=1&a[][c]=2|{a=[{b=1, c=2}]}",
        "a[][b]=1&a[][b]=2|{a=[{b=[1, 2]}]}",
        "a[b]=1&a=2|{a=[{b=1}, 2]}",
        "a[b]=1&a=2&a[c]=3|{a={0={b=1}, 1=2, c=3}}",
        "a[b]=1&a=2&a=3|{a={b=1, 0=2, 1=3}}",
        "a=1&a[0]=2&a=3|{a=[1, 3, 2]}",
        "a[0]=x&a[b]=y|{a={0=x, b=y}}",
        "a[5]=x&a[2]=y|{a=[y, x]}",
        "a[99]=x|{a=[x]}",
        "a[100]=x|{a={100=x}}",
        "a[100]=x&a=y|{a={100=x, 101=y}}",
        "a=y&a[100]=x|{a={0=y, 101=x}}",
        "a[][150]=x|{a={150=x}}",
        "a[b[c]]=d|{a={b[c]=d}}",
        "a[[b]]=c|{a={[b]=c}}",
        "a[[]=x|{a={[[]=x}}",
        "a[b=c|{a={[b=c}}",
        "a[b]c[d]=1|{a={b={d=1}}}",
        "a[b]c=1|{a={b=1}}",
        "a]b=1|{a]b=1}",
        "a.b,c=1|{a.b,c=1}",
        "a[][]=x|{a=[x]}",
        "[a][b]=1|{a={b=1}}",
        "[0]=x|{0=x}",
        "a[01]=1&a[-1]=2&a[1.5]=3&a[1e1]=4&a[ 1]=5|{a={01=1, -1=2, 1.5=3, 1e1=4,  1=5}}",
        "a[b]=c&a=|{a={b=c}}",
        "a=&a[b]=c|{a=[, {b=c}]}",
        "a[__proto__][x]=1|{a={}}",
        "__proto__[x]=1|{}",
        "a[toString]=1&hasOwnProperty=2|{a={toString=1}, hasOwnProperty=2}",
        "a[9007199254740993]=x|{a={9007199254740993=x}}",
        "a[0][5]=x|{a=[[x]]}",
        "a[100]=x&a[b]=y&a=z|{a={100=x, b=y, 101=z}}"
      })
  void extendedFormsNest(String body, String expected) throws FormException {
    assertEquals(expected, extended(body));
  }

  @Test
  void listsOfTheSameNameMergeAtTheTop() throws FormException {
    assertEquals("{0=x, 1=y}", extended("[]=x&[]=y"));
  }

  @Test
  void emptyTextGivesAnEmptyMap() throws FormException {
    assertEquals(Map.of(), Form.simple().parameterLimit(1).parse("", UTF_8));
  }

  @Test
  void emptyParametersCount() throws FormException {
    Form form = Form.simple().parameterLimit(3);
    assertEquals("{a=1}", form.parse("a=1&&", UTF_8).toString());
    FormException error = assertThrows(FormException.class, () -> form.parse("&&&", UTF_8));
    assertEquals(FormException.Reason.TOO_MANY_PARAMETERS, error.reason());
    assertEquals("too many parameters", error.getMessage());
  }

  @Test
  void theDefaultLimitIsAThousand() throws FormException {
    assertEquals("{}", simple("&".repeat(999)));
    assertThrows(FormException.class, () -> simple("&".repeat(1000)));
  }

  @Test
  void moreParametersRaiseTheLimitOfIndices() throws FormException {
    assertEquals("{a=[x]}", extended("a[100]=x" + "&".repeat(100)));
    assertEquals("{a={101=x}}", extended("a[101]=x" + "&".repeat(100)));
  }

  @Test
  void tooManyParametersAreReportedBeforeDepth() {
    Form form = Form.extended().depth(1).parameterLimit(1);
    FormException error = assertThrows(FormException.class, () -> form.parse("a[b][c]=1&", UTF_8));
    assertEquals(FormException.Reason.TOO_MANY_PARAMETERS, error.reason());
  }

  @Test
  @DisplayName("QS-04: beyond an explicit depth is an error")
  void beyondAnExplicitDepthIsAnError() throws FormException {
    Form form = Form.extended().depth(2);
    assertEquals("{a={b={c=1}}}", form.parse("a[b][c]=1", UTF_8).toString());
    assertEquals("{a={b=1}}", form.parse("[a][b]=1", UTF_8).toString());
    FormException error =
        assertThrows(FormException.class, () -> form.parse("a[b][c][d]=1", UTF_8));
    assertEquals(FormException.Reason.TOO_DEEP, error.reason());
    assertEquals("The input exceeded the depth", error.getMessage());
    assertThrows(FormException.class, () -> form.parse("a[b][c][d=1", UTF_8));
    assertThrows(FormException.class, () -> form.parse("[a][b][c]=1", UTF_8));
    assertThrows(
        FormException.class,
        () -> Form.extended().depth(32).parse("a" + "[b]".repeat(33) + "=1", UTF_8));
  }

  @Test
  @DisplayName("QS-04: at the default depth the rest is one literal name")
  void atTheDefaultDepthTheRestIsOneLiteralName() throws FormException {
    String body = "a" + "[b]".repeat(32) + "[x][y]=1";
    assertTrue(extended(body).contains("{[x][y]=1}"));
    assertTrue(extended("a" + "[b]".repeat(32) + "[x=1").contains("{[x=1}"));
  }

  @Test
  void depthZeroNestsNothingAndIsNoError() throws FormException {
    assertEquals("{a[b][c]=1}", Form.extended().depth(0).parse("a[b][c]=1", UTF_8).toString());
  }

  @Test
  void latin1FormsDecodeEachEscapeSeparately() throws FormException {
    assertEquals(
        "{\u00e9= %zz\u00ff%u00e9}",
        Form.simple().parse("%e9=+%zz%FF%u00e9", ISO_8859_1).toString());
  }

  @Test
  @DisplayName("QS-10: the sentinel sets the charset and is removed")
  void theSentinelSetsTheCharsetAndIsRemoved() throws FormException {
    Form form = Form.simple().charsetSentinel(true);
    assertEquals("{a=\u00e9}", form.parse("a=%C3%A9&utf8=%E2%9C%93", ISO_8859_1).toString());
    assertEquals("{a=\u00e9}", form.parse("utf8=%26%2310003%3B&a=%E9", UTF_8).toString());
    assertEquals("{a=\u00e9}", form.parse("utf8=x&a=%E9", ISO_8859_1).toString());
    assertEquals("{a=\u00e9}", form.parse("utf8=%e2%9c%93&a=%C3%A9", UTF_8).toString());
    assertEquals("{utf8=y}", form.parse("utf8=x&utf8=y", UTF_8).toString());
    assertEquals("{utf8=}", form.parse("utf8", UTF_8).toString());
    assertThrows(
        FormException.class, () -> form.parameterLimit(1).parse("utf8=%E2%9C%93&a=1", UTF_8));
  }

  @Test
  void withoutTheOptionTheSentinelIsAParameter() throws FormException {
    assertEquals("{utf8=\u2713, a=%E9}", simple("utf8=%E2%9C%93&a=%E9"));
  }

  @Test
  void numericEntitiesAreDecodedInLatin1ValuesOnly() throws FormException {
    Form form = Form.simple().interpretNumericEntities(true);
    String body =
        "%26%2365%3B=%26%239731%3B-%26%23128512%3B-%26amp%3B%26%23x41%3B%26%2365%26%23%3B";
    assertEquals(
        "{&#65;=\u2603-\ud83d\ude00-&amp;&#x41;&#65&#;}", form.parse(body, ISO_8859_1).toString());
    assertEquals("{a=&#65;}", form.parse("a=%26%2365%3B", UTF_8).toString());
    assertEquals("{a=&#65;}", Form.simple().parse("a=%26%2365%3B", ISO_8859_1).toString());
  }

  @Test
  @DisplayName("QS-10: entities above Unicode are cut to 16 bits")
  void entitiesAboveUnicodeAreCutTo16Bits() throws FormException {
    Form form = Form.simple().interpretNumericEntities(true);
    assertEquals(
        "{a=\0B}", form.parse("a=%26%231114112%3B%26%231114178%3B", ISO_8859_1).toString());
    assertTrue(form.parse("a=%26%23" + "9".repeat(99_999) + "%3B", ISO_8859_1).containsKey("a"));
  }

  @Test
  void optionsAreChecked() {
    Exception limit =
        assertThrows(IllegalArgumentException.class, () -> Form.simple().parameterLimit(0));
    assertEquals("parameterLimit must be at least 1, was 0", limit.getMessage());
    Exception depth = assertThrows(IllegalArgumentException.class, () -> Form.extended().depth(-1));
    assertEquals("depth must be at least 0, was -1", depth.getMessage());
  }

  @Test
  @DisplayName("QS-05: runs of brackets are read in one pass")
  void hostileFormsAreReadInOnePass() throws FormException {
    String open = "[".repeat(20_000);
    assertEquals("{a={" + open + "=1}}", extended("a" + open + "=1"));
    assertEquals(1, Form.extended().parse("a" + "[b]".repeat(33_000) + "=1", UTF_8).size());
    assertEquals(1, Form.extended().parse("a" + "]".repeat(100_000) + "=1", UTF_8).size());
    assertEquals(1, Form.extended().parse("[]".repeat(50_000), UTF_8).size());
    assertEquals(1, Form.extended().parse("%5B".repeat(33_000), UTF_8).size());
    assertEquals(1, Form.simple().parse("%".repeat(100_000), UTF_8).size());
    assertEquals(1, Form.extended().parse("a=1&a[b]=2&".repeat(499), UTF_8).size());
    Form deep = Form.extended().depth(Integer.MAX_VALUE);
    assertThrows(FormException.class, () -> deep.parse("a" + "[b]".repeat(33_000) + "=1", UTF_8));
    assertEquals(1, deep.parse("a" + "[b]".repeat(1000) + "=1", UTF_8).size());
  }

  @Test
  @DisplayName("QS-01: huge indices allocate nothing")
  void hugeIndicesAllocateNothing() throws FormException {
    Form form = Form.extended().parameterLimit(100_000);
    String body = "a[90000]=x" + "&".repeat(99_000);
    assertEquals("{a=[x]}", form.parse(body, UTF_8).toString());
    assertEquals("{a={100000000=x}}", extended("a[100000000]=x"));
  }
}
