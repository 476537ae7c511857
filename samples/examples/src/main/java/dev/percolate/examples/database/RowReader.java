package dev.percolate.examples.database;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a row as a record, whose components are the columns in order. */
final class RowReader {

  private final ResultSet row;
  private int column;

  private RowReader(ResultSet row) {
    this.row = row;
  }

  /** Reads a record; or the first column, if the type is not a record. */
  @SuppressWarnings("unchecked") // a class is read as its instance
  static <T> T read(Class<T> type, ResultSet row) throws SQLException {
    return (T) new RowReader(row).next(type);
  }

  private @Nullable Object next(Class<?> type) throws SQLException {
    if (type.isRecord()) {
      return nextRecord(type);
    }
    column++;
    if (type == List.class) {
      Array array = row.getArray(column);
      return array == null ? List.of() : List.of((Object[]) array.getArray());
    }
    if (type == Instant.class) {
      OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
      return time == null ? null : time.toInstant();
    }
    return row.getObject(column, MethodType.methodType(type).wrap().returnType());
  }

  private Object nextRecord(Class<?> type) throws SQLException {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = next(components[i].getType());
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create " + type, e);
    }
  }
}
