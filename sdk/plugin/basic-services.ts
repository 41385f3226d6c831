/** Services without dependencies. */

/** The time, injected so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `delayMs`; the return value cancels. Does not keep the process alive. */
  after(delayMs: number, call: () => void): () => void
}

/** Structured logging. Never pass a credential or a Secret's data. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
  child(fields: Record<string, unknown>): Logger
}

/** A number that only grows. */
export interface Counter {
  inc(labels?: Record<string, string>, by?: number): void
}
/** A number that goes up and down. */
export interface Gauge {
  set(value: number, labels?: Record<string, string>): void
}
/** A distribution of measured values. */
export interface Histogram {
  observe(seconds: number, labels?: Record<string, string>): void
}
/** Metrics of a plugin; they appear at /metrics. Asking twice for one name returns the same instrument. */
export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter
  gauge(name: string, help: string, labels?: readonly string[]): Gauge
  histogram(name: string, help: string, labels?: readonly string[], buckets?: readonly number[]): Histogram
}
