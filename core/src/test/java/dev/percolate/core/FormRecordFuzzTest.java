package dev.percolate.core;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** As {@link RecordInputFuzzTest}, for forms, by parsers that nest and that do not. */
final class FormRecordFuzzTest {

  @FuzzTest
  void aFormIsARecordOrTheClientsFault(byte[] data) {
    RecordInputFuzzTest.form(data);
  }
}
