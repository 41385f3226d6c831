import type { Logger } from '../plugin/basic-services.js'

/** A logger that keeps its messages, for tests that check whether something was logged. */
export interface FakeLogger extends Logger {
  readonly lines: { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string }[]
}

/** Makes a logger for tests; children write to the same list. */
export function fakeLogger(): FakeLogger {
  const lines: FakeLogger['lines'] = []
  const write = (level: FakeLogger['lines'][number]['level']) => (message: string) => {
    lines.push({ level, message })
  }
  const logger: FakeLogger = {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  }
  return logger
}
