import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { requestJson } from '../model/api.js'
import type { ServerInventory } from '../model/inventory.js'
import { followNumbers, keptMoments, numbers, numbersFailure } from '../model/server-numbers.js'
import { Chart } from './chart.js'
import { mebibytes, milliseconds, perSecond, whole } from './numbers.js'
import { Failure } from './parts.js'
import { Chain, FlowControl, Loops, Quotas, Storage, Webhooks } from './server-tables.js'

/** The width of a chart in values, until there are more. */
const fewMoments = 8

/** The server's metrics, and the plugins that it consists of. */
export function ServerView() {
  const inventory = useSignal<ServerInventory | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  useEffect(() => {
    void requestJson<ServerInventory>('/console/inventory').then(
      found => (inventory.value = found),
      failed => (failure.value = failed),
    )
    return followNumbers()
  }, [])
  return (
    <div class="view">
      <header class="title">
        <h1>Server</h1>
      </header>
      {numbersFailure.value ? <Failure failure={numbersFailure.value} /> : <Charts />}
      {failure.value !== undefined && <Failure failure={failure.value} />}
      <div class="columns">
        <div>{inventory.value && <Chain of={inventory.value} />}</div>
        <div>
          {!numbersFailure.value && (
            <>
              <Storage />
              <Webhooks />
              <FlowControl />
            </>
          )}
          <Quotas />
          {!numbersFailure.value && <Loops />}
        </div>
      </div>
      {inventory.value && <Plugins of={inventory.value} />}
    </div>
  )
}

function Charts() {
  const { moments } = numbers.value
  const all = { length: Math.min(Math.max(fewMoments, moments.length), keptMoments) }
  return (
    <section class="charts" aria-label="Current metrics">
      <Chart {...all} title="Requests" format={perSecond} values={moments.map(each => each.requestsPerSecond)} />
      <Chart {...all} title="p50 latency" format={milliseconds} values={moments.map(each => each.medianSeconds)} />
      <Chart {...all} title="p99 latency" format={milliseconds} values={moments.map(each => each.slowSeconds)} />
      <Chart {...all} title="Errors" format={perSecond} values={moments.map(each => each.failuresPerSecond)} />
      <Chart {...all} title="Watchers" format={whole} values={moments.map(each => each.watchers)} />
      <Chart {...all} title="Memory" format={mebibytes} values={moments.map(each => each.memoryBytes)} />
    </section>
  )
}

function Plugins({ of: { plugins } }: { of: ServerInventory }) {
  return (
    <section class="card">
      <h2>Plugins</h2>
      {plugins.map(({ name, brings }) => (
        <details key={name}>
          <summary>
            <strong>{name}</strong>{' '}
            <span class="muted small">
              {Object.entries(brings)
                .filter(([what]) => what !== 'requires')
                .map(([what, names]) => `${names.length} ${what}`)
                .join(', ')}
            </span>
          </summary>
          <dl>
            {Object.entries(brings).map(([what, names]) => (
              <>
                <dt>{what}</dt>
                <dd>{names.join(', ')}</dd>
              </>
            ))}
          </dl>
        </details>
      ))}
    </section>
  )
}
