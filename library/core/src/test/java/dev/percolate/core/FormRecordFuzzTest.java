package dev.percolate.core;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Like {@link RecordInputFuzzTest}, for forms, with parsers that nest and that do not. */
final class FormRecordFuzzTest {

  @FuzzTest
  void aFormIsARecordOrTheClientsFault(byte[] data) {
    RecordInputFuzzTest.form(data);
  }
}
