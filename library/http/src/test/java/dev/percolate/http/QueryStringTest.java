package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryStringTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a=1&b=2|{a=1, b=2}",
        "a=1&a=2&a=3|{a=[1, 2, 3]}",
        "a=1&a|{a=}",
        "a&a=1|{a=[, 1]}",
        "=x&&|{}",
        "a=b=c|{a=b=c}",
        "a;b=1|{a;b=1}",
        "a.b=1|{a.b=1}"
      })
  void namesAndValuesAreCollected(String query, String expected) {
    assertEquals(expected, QueryString.parse(query).toString());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a+b=c+d|{a b=c d}",
        "%61=%C3%A9|{a=é}",
        "a=%zz+b|{a=%zz+b}",
        "a%5Bb%5D=1|{a={b=1}}",
        "a=%ff+%20|{a=%ff+%20}",
        "a%5B]=1|{a=[1]}"
      })
  void namesAndValuesAreDecodedWholeOrNotAtAll(String query, String expected) {
    assertEquals(expected, QueryString.parse(query).toString());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a[b]=1&a[c]=2|{a={b=1, c=2}}",
        "a[]=1&a[]=2|{a=[1, 2]}",
        "a[][][]=1|{a=[1]}",
        "a[1]=x&a[0]=y|{a=[y, x]}",
        "a[20]=x|{a=[x]}",
        "a[21]=x|{a={21=x}}",
        "a[01]=x|{a={01=x}}",
        "a[-1]=x|{a={-1=x}}",
        "a[1.5]=x|{a={1.5=x}}",
        "a[ 1]=x|{a={ 1=x}}",
        "[]=1|{0=1}",
        "[3]=1|{3=1}",
        "a[b][c][d][e][f][g]=1|{a={b={c={d={e={f={[g]=1}}}}}}}",
        "a[b][c][d][e][f][g][h]i=1|{a={b={c={d={e={f={[g][h]i=1}}}}}}}",
        "a[=1|{a=1}",
        "a]=1|{a=1}",
        "[a]=1|{a=1}",
        "a[b=1|{a=1}",
        "a[b]c[d]=1|{a={b={d=1}}}",
        "a[[b]]=1|{a={b=1}}",
        "__proto__[x]=1|{__proto__={x=1}}"
      })
  void bracketsNest(String query, String expected) {
    assertEquals(expected, QueryString.parse(query).toString());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "a[b]=1&a=2|{a={b=1, 2=true}}",
        "a=1&a[b]=2|{a=[1, {b=2}]}",
        "a=1&a[]=2&a[]=3|{a=[1, 2, 3]}",
        "a[]=1&a=2|{a=[1, 2]}",
        "a[]=1&a[b]=2|{a={0=1, b=2}}",
        "a[3]=1&a[b]=2|{a={3=1, b=2}}",
        "a[b]=1&a[]=2|{a={b=1, 0=2}}",
        "a[]=1&a[0]=2|{a=[[1, 2]]}",
        "a[b]=1&a=|{a={b=1}}",
        "a[0][b]=1&a[0][c]=2|{a=[{b=1, c=2}]}",
        "a[][1]=x|{a=[x]}",
        "a[0][1]=x|{a=[[null, x]]}",
        "a[0][b][2]=x|{a=[{b=[null, null, x]}]}",
        "]=x|{x=true}",
        "a[b]=1&a[b][c]=2|{a={b=[1, {c=2}]}}",
        "a[b]=1&a=2&a[2]=3|{a={b=1, 2=[true, 3]}}"
      })
  void valuesOfDifferentKindsAreMerged(String query, String expected) {
    assertEquals(expected, QueryString.parse(query).toString());
  }

  @Test
  void theNameEndsWithTheFirstBracketBeforeAnEqualsSign() {
    assertEquals("{a=={b=c}}", QueryString.parse("a=[b]=c").toString());
    assertEquals("c", QueryString.parse("a=b]=c").get("a=b"));
  }

  @Test
  void absentAndEmptyQueriesReturnEmptyMaps() {
    assertTrue(QueryString.parse(null).isEmpty());
    assertTrue(QueryString.parse("").isEmpty());
  }

  @Test
  @DisplayName("QS-02: only the first thousand parameters of a query are used")
  void onlyTheFirstThousandPartsAreUsed() {
    String query = IntStream.range(0, 1500).mapToObj(i -> "k" + i).collect(Collectors.joining("&"));
    Map<String, Object> parsed = QueryString.parse(query);
    assertEquals(1000, parsed.size());
    assertTrue(parsed.containsKey("k999"));
  }

  @Test
  @DisplayName("QS-05: hostile queries are read in one pass")
  void hostileQueriesAreReadInOnePass() {
    assertEquals("{a=1}", QueryString.parse("a" + "[".repeat(100_000) + "=1").toString());
    assertEquals("{a=1}", QueryString.parse("a" + "]".repeat(100_000) + "=1").toString());
    assertEquals(1, QueryString.parse("a" + "[b]".repeat(30_000) + "=1").size());
    assertEquals(1, QueryString.parse("%".repeat(100_000)).size());
    assertEquals(1, QueryString.parse("a[20][20][20][20][20]=1&".repeat(1000)).size());
    assertEquals(1, QueryString.parse("a=1&a[b]=2&".repeat(500)).size());
  }
}
