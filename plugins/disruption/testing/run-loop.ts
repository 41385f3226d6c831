import type { Clock } from 'orch/sdk'
import { DisruptionOptions } from '../options.js'

/** The default options. */
export const defaultOptions = Object.fromEntries(
  Object.entries(DisruptionOptions.properties).map(([name, schema]) => [name, schema['default']]),
) as DisruptionOptions

type Stop = () => Promise<void>
/** Runs a loop with these services for some seconds of their clock. */
export async function runLoop<G>(
  loop: { start(given: G): Stop | Promise<Stop> },
  given: G & { clock: Clock & { advance(ms: number): Promise<void> } },
  seconds: number,
): Promise<void> {
  const stop = await loop.start(given)
  for (let second = 0; second < seconds; second++) {
    // Responses and events arrive between the ticks.
    await new Promise(resolve => setTimeout(resolve, 1))
    await given.clock.advance(1000)
  }
  await stop()
}
