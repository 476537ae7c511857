package dev.percolate.benchmarks;

/** Creates bodies as browsers and programs send them. */
final class Bodies {

  private Bodies() {}

  /** Creates a map with a list of orders. */
  static String json(int size) {
    StringBuilder text = new StringBuilder("{\"orders\":[");
    for (int i = 0; text.length() < size - 2; i++) {
      text.append(i == 0 ? "" : ",");
      text.append("{\"id\":").append(1000 + i).append(",\"customer\":\"Ann Example\",");
      text.append("\"paid\":").append(i % 2 == 0).append(",\"total\":").append(i).append(".25,");
      text.append("\"tags\":[\"new\",\"caf\u00e9\"],\"note\":null,");
      text.append("\"address\":{\"street\":\"1 Main Street\",\"city\":\"Springfield\"}}");
    }
    return text.append("]}").toString();
  }

  /** Creates an extended form with the same orders. */
  static String form(int size) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < size; i++) {
      String order = (i == 0 ? "" : "&") + "orders[" + i + "]";
      text.append(order).append("[id]=").append(1000 + i);
      text.append("&orders[").append(i).append("][customer]=Ann+Example");
      text.append("&orders[").append(i).append("][tags][]=new");
      text.append("&orders[").append(i).append("][tags][]=caf%C3%A9");
      text.append("&orders[").append(i).append("][address][city]=Springfield");
    }
    return text.toString();
  }
}
