package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {

  @ParameterizedTest
  @CsvSource({
    "0.0,0",
    "-0.0,0",
    "1.0,1",
    "-3.0,-3",
    "1e3,1000",
    "0.001,0.001",
    "0.1,0.1",
    "1978216876751247.75,1978216876751247.8",
    "-0.25,-0.25",
    "123456.789,123456.789",
    "1e20,100000000000000000000",
    "1e21,1e+21",
    "1.5e21,1.5e+21",
    "123456789012345680000,123456789012345680000",
    "9007199254740992,9007199254740992",
    "1e-6,0.000001",
    "1e-7,1e-7",
    "1.25e-9,1.25e-9",
    "1.5e-6,0.0000015",
    "5e-324,5e-324",
    "1e-323,1e-323",
    "1.7976931348623157e308,1.7976931348623157e+308",
    "1e23,1e+23",
    "2e23,2e+23",
    "2.2250738585072014e-308,2.2250738585072014e-308",
    "2e-3,0.002",
    "1.1e-5,0.000011",
    "5.684341886080802e-14,5.684341886080802e-14",
    "0.30000000000000004,0.30000000000000004",
    "4.35,4.35",
    "2.98023223876953125e-8,2.9802322387695312e-8",
    "1e-5,0.00001",
    "4611686018427387904,4611686018427388000",
    "2.0E-44,2e-44",
    "Infinity,null",
    "NaN,null"
  })
  void doublesAreFormattedLikeEcmaScript(double value, String text) {
    assertEquals(text, text(value));
  }

  @Test
  void textReadsAsTheSameDoubleAndIsNoLongerThanTheJdks() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        String text = text(value);
        assertEquals(value, Double.parseDouble(text));
        assertTrue(digits(text) <= digits(Double.toString(value)), text);
      }
    }
  }

  @Test
  void commonFractionsAreWrittenWithoutExponent() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 50_000; i++) {
      double value = random.nextDouble(-2e7, 2e7) / Math.pow(10, random.nextInt(10));
      String text = text(i % 2 == 0 ? value : Math.rint(value * 100) / 100);
      assertEquals(new BigDecimal(text).stripTrailingZeros().toPlainString(), text);
    }
  }

  private static String text(double value) {
    JsonText out = new JsonText();
    NumberText.append(out, value);
    return out.toString();
  }

  private static int digits(String text) {
    return new BigDecimal(text).stripTrailingZeros().precision();
  }
}
