/**
 * The server, as `kernel/main.js` starts it, which records the functions that are entered. Every message of its parent resets the record and returns
 * the functions entered since the previous message.
 */
import { Session } from 'node:inspector'

/** Functions entered, as `file function@offset`; files are relative to `dist`. */
export type Entered = readonly string[]

const settleMs = 20
const session = new Session()
session.connect()
const post = (method: string, parameters: object = {}): void => session.post(method, parameters)
post('Profiler.enable')
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const dist = new URL('../..', import.meta.url).href

function takeEntered(): Entered {
  let entered: string[] = []
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    entered = coverage.result
      .filter(({ url }) => url.startsWith(dist) && !url.startsWith(`${dist}test/`))
      .flatMap(({ url, functions }) =>
        functions
          // The first range of a function is the whole of it; the one that starts at 0 is the module itself.
          .filter(({ ranges: [whole] }) => whole !== undefined && whole.startOffset > 0 && whole.count > 0)
          .map(
            ({ functionName, ranges: [whole] }) => `${url.slice(dist.length)} ${functionName}@${whole?.startOffset}`,
          ),
      )
  })
  return entered
}

// The end of a response is reported to the server after the client has received it.
process.on('message', () => setTimeout(() => process.send?.(takeEntered()), settleMs))
await import('../../kernel/main.js')
