package example;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers, booleans and null: the JDK has no JSON library, and this example has no dependencies. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    if (json.peek() != 0) throw json.unexpected();
    return value;
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        write(entry.getKey(), out);
        out.append(':');
        write(entry.getValue(), out);
        separator = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        out.append(separator);
        write(item, out);
        separator = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof String string) {
      out.append('"');
      for (char c : string.toCharArray()) {
        if (c == '"' || c == '\\') out.append('\\').append(c);
        else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
        else out.append(c);
      }
      out.append('"');
    } else out.append(value);
  }

  private Object value() {
    char next = peek();
    if (next == '{') return object();
    if (next == '[') return list();
    if (next == '"') return string();
    int start = at;
    while (at < text.length() && "+-.0123456789abcdefghijklmnopqrstuvwxyzE".indexOf(text.charAt(at)) >= 0) at++;
    String word = text.substring(start, at);
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> null;
      case "" -> throw unexpected();
      default -> word.matches("-?\\d+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    take('{');
    while (peek() != '}') {
      if (!map.isEmpty()) take(',');
      peek();
      String key = string();
      take(':');
      map.put(key, value());
    }
    take('}');
    return map;
  }

  private List<Object> list() {
    List<Object> items = new ArrayList<>();
    take('[');
    while (peek() != ']') {
      if (!items.isEmpty()) take(',');
      items.add(value());
    }
    take(']');
    return items;
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    take('"');
    for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
      if (c != '\\') out.append(c);
      else {
        char escaped = text.charAt(at++);
        int control = "bfnrt".indexOf(escaped);
        if (escaped == 'u') out.append((char) Integer.parseInt(text.substring(at, at += 4), 16));
        else out.append(control < 0 ? escaped : "\b\f\n\r\t".charAt(control));
      }
    }
    return out.toString();
  }

  /** The next character that is not white space; 0 at the end. */
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void take(char expected) {
    if (peek() != expected) throw unexpected();
    at++;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("invalid JSON at character " + at);
  }
}
