import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { requestJson } from '../model/api.js'
import type { ServerInventory } from '../model/inventory.js'
import { growthBy, sumOf } from '../model/prometheus.js'
import {
  controlNumbers,
  followNumbers,
  keptMoments,
  numbers,
  numbersFailure,
  queueNumbers,
} from '../model/server-numbers.js'
import { Chart } from './chart.js'
import { Failure, scrollable } from './parts.js'

/** With fewer than these a line begins at the right. */
const fewMoments = 8
const perSecond = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)}/s`
const milliseconds = (seconds: number) => `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`
const whole = (value: number) => Math.round(value).toLocaleString('en')
const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** The server itself: what it does right now, and what it consists of. */
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
          {!numbersFailure.value && <Storage />}
          {!numbersFailure.value && <Webhooks />}
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
    <section class="charts" aria-label="Right now">
      <Chart {...all} title="Requests" format={perSecond} values={moments.map(each => each.requestsPerSecond)} />
      <Chart {...all} title="p50 latency" format={milliseconds} values={moments.map(each => each.medianSeconds)} />
      <Chart {...all} title="p99 latency" format={milliseconds} values={moments.map(each => each.slowSeconds)} />
      <Chart {...all} title="Errors" format={perSecond} values={moments.map(each => each.failuresPerSecond)} />
      <Chart {...all} title="Watchers" format={whole} values={moments.map(each => each.watchers)} />
      <Chart {...all} title="Memory" format={mebibytes} values={moments.map(each => each.memoryBytes)} />
    </section>
  )
}

function Chain({ of: { admissionChain } }: { of: ServerInventory }) {
  const { samples } = numbers.value
  return (
    <section class="card">
      <h2>Admission chain</h2>
      <div {...scrollable('Admission chain')}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Control</th>
              <th scope="col">Phase</th>
              <th scope="col" class="number">
                Runs
              </th>
              <th scope="col" class="number">
                Mean
              </th>
              <th scope="col" class="number">
                Refused
              </th>
            </tr>
          </thead>
          <tbody>
            {admissionChain.map(({ name, phase, plugin }, at) => {
              const { count, meanSeconds, rejections } = controlNumbers(samples, name)
              return (
                <tr key={name}>
                  <td class="muted">{at + 1}</td>
                  <th scope="row" title={`of the plugin ${plugin}`}>
                    {name}
                  </th>
                  <td class="phase">{phase === 'both' ? 'mutate, validate' : phase}</td>
                  <td class="number">{whole(count)}</td>
                  <td class="number">{meanSeconds === undefined ? '–' : milliseconds(meanSeconds)}</td>
                  <td class="number">{whole(rejections)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Storage() {
  const { samples } = numbers.value
  const objects = [...growthBy([], samples, 'apiserver_storage_objects', 'resource')].sort(
    ([, left], [, right]) => right - left,
  )
  const rows: readonly (readonly [string, string])[] = [
    ['Revision', whole(sumOf(samples, 'apiserver_storage_revision'))],
    ['Compacted up to', whole(sumOf(samples, 'apiserver_storage_compacted_revision'))],
    ['Size', mebibytes(sumOf(samples, 'apiserver_storage_size_bytes'))],
    ['Objects', whole(objects.reduce((sum, [, count]) => sum + count, 0))],
    ['Open connections', whole(sumOf(samples, 'apiserver_open_connections'))],
    ['Unsent answers', mebibytes(sumOf(samples, 'apiserver_unsent_response_bytes'))],
  ]
  return (
    <section class="card">
      <h2>Storage and connections</h2>
      <dl>
        {rows.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}

function Webhooks() {
  const { samples } = numbers.value
  const counts = [...growthBy([], samples, 'apiserver_admission_webhook_admission_duration_seconds_count', 'name')]
  if (counts.length === 0) return null
  const sums = growthBy([], samples, 'apiserver_admission_webhook_admission_duration_seconds_sum', 'name')
  const refused = growthBy([], samples, 'apiserver_admission_webhook_rejection_count', 'name')
  return (
    <section class="card">
      <h2>Webhooks</h2>
      <div {...scrollable('Webhooks')}>
        <table>
          <thead>
            <tr>
              <th scope="col">Webhook</th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col" class="number">
                Mean
              </th>
              <th scope="col" class="number">
                Refused
              </th>
            </tr>
          </thead>
          <tbody>
            {counts.map(([name, count]) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td class="number">{whole(count)}</td>
                <td class="number">{count > 0 ? milliseconds((sums.get(name) ?? 0) / count) : '–'}</td>
                <td class="number">{whole(refused.get(name) ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Loops() {
  const queues = queueNumbers(numbers.value.samples)
  return (
    <section class="card">
      <h2>Control loops</h2>
      <div {...scrollable('Control loops')}>
        <table>
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col" class="number">
                Waiting
              </th>
              <th scope="col" class="number">
                Handled
              </th>
              <th scope="col" class="number">
                Tried again
              </th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ name, depth, adds, retries }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{whole(depth)}</td>
                <td class="number">{whole(adds)}</td>
                <td class="number">{whole(retries)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
