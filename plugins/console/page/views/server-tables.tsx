import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Anything, requestJson } from '../model/api.js'
import type { ServerInventory } from '../model/inventory.js'
import { growthBy, type Sample, sumOf } from '../model/prometheus.js'
import { controlNumbers, numbers, queueNumbers } from '../model/server-numbers.js'
import { now, span } from '../model/times.js'
import { mebibytes, milliseconds, whole } from './numbers.js'
import { Compound, scrollable } from './parts.js'

/** Tables of the server's metrics. */

interface TableProps {
  readonly title: string
  /** The first names the rows; the others are numbers. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
function NumberTable({ title, columns, rows }: TableProps) {
  const [first, ...others] = columns
  return (
    <section class="card">
      <h2>{title}</h2>
      <div {...scrollable(title)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {others.map(name => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...values]) => (
              <tr key={name}>
                <th scope="row">
                  <Compound name={name ?? ''} />
                </th>
                {values.map((value, at) => (
                  <td key={others[at]} class="number">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

export function Chain({ of: { admissionChain } }: { of: ServerInventory }) {
  const { samples } = numbers.value
  const rows = admissionChain.map(({ name, phase }, at) => {
    const { count, meanSeconds, rejections } = controlNumbers(samples, name)
    return [
      `${at + 1}. ${name}`,
      phase === 'both' ? 'mutate, validate' : phase,
      whole(count),
      meanSeconds === undefined ? '–' : milliseconds(meanSeconds),
      whole(rejections),
    ]
  })
  return <NumberTable title="Admission chain" columns={['Control', 'Phase', 'Runs', 'Mean', 'Rejected']} rows={rows} />
}

export function Storage() {
  const { samples } = numbers.value
  const free = sumOf(samples, 'apiserver_storage_free_bytes')
  const rows: readonly (readonly [string, string])[] = [
    ['Revision', whole(sumOf(samples, 'apiserver_storage_revision'))],
    ['Compacted up to', whole(sumOf(samples, 'apiserver_storage_compacted_revision'))],
    ['Size', mebibytes(sumOf(samples, 'apiserver_storage_size_bytes'))],
    ['Free', Number.isFinite(free) ? mebibytes(free) : 'unknown'],
    ['Objects', whole(sumOf(samples, 'apiserver_storage_objects'))],
    ['Open connections', whole(sumOf(samples, 'apiserver_open_connections'))],
    ['Unsent responses', mebibytes(sumOf(samples, 'apiserver_unsent_response_bytes'))],
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

/** Sums of a metric by the value of a label. */
const by = (samples: readonly Sample[], name: string, label: string) => growthBy([], samples, name, label)

export function Webhooks() {
  const { samples } = numbers.value
  const prefix = 'apiserver_admission_webhook'
  const counts = [...by(samples, `${prefix}_admission_duration_seconds_count`, 'name')]
  if (counts.length === 0) return null
  const sums = by(samples, `${prefix}_admission_duration_seconds_sum`, 'name')
  const refused = by(samples, `${prefix}_rejection_count`, 'name')
  const failed = by(samples, `${prefix}_failures_total`, 'name')
  const rows = counts.map(([name, count]) => [
    name,
    whole(count),
    count > 0 ? milliseconds((sums.get(name) ?? 0) / count) : '–',
    whole(refused.get(name) ?? 0),
    whole(failed.get(name) ?? 0),
  ])
  return <NumberTable title="Webhooks" columns={['Webhook', 'Calls', 'Mean', 'Rejected', 'Failed']} rows={rows} />
}

export function FlowControl() {
  const { samples } = numbers.value
  const of = (name: string) => by(samples, `apiserver_flowcontrol_${name}`, 'priority_level')
  const [limits, working, waiting] = [
    of('request_concurrency_limit'),
    of('current_executing_requests'),
    of('current_inqueue_requests'),
  ]
  const [passed, refused] = [of('dispatched_requests_total'), of('rejected_requests_total')]
  const levels = [...new Set([...limits.keys(), ...passed.keys()])].sort()
  if (levels.length === 0) return null
  const rows = levels.map(level => [
    level,
    ...[limits, working, waiting, passed, refused].map(each => whole(each.get(level) ?? 0)),
  ])
  return (
    <NumberTable
      title="Flow control"
      columns={['Priority level', 'Seats', 'Executing', 'Queued', 'Dispatched', 'Rejected']}
      rows={rows}
    />
  )
}

export function Loops() {
  const rows = queueNumbers(numbers.value.samples).map(({ name, depth, adds, retries, lastFailure }) => [
    name,
    whole(depth),
    whole(adds),
    whole(retries),
    lastFailure ? `${lastFailure.reason}, ${span(now.value - lastFailure.at)} ago` : '–',
  ])
  const columns = ['Queue', 'Depth', 'Added', 'Retried', 'Last error']
  return <NumberTable title="Control loops" columns={columns} rows={rows} />
}

const mostQuotas = 100
/** The usage of quotas, if the user may list any. */
export function Quotas() {
  const quotas = useSignal<readonly Anything[]>([])
  useEffect(() => {
    void requestJson(`/api/v1/resourcequotas?limit=${mostQuotas}`).then(
      ({ items }) => (quotas.value = items),
      () => {},
    )
  }, [])
  const rows = quotas.value.flatMap(({ metadata, status }) =>
    Object.entries((status?.hard ?? {}) as Record<string, string>).map(([what, hard]) => [
      `${metadata.namespace}/${metadata.name}: ${what}`,
      String(status?.used?.[what] ?? '0'),
      hard,
    ]),
  )
  return rows.length === 0 ? null : <NumberTable title="Quotas" columns={['Quota', 'Used', 'Of']} rows={rows} />
}
