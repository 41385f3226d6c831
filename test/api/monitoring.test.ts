import { readFileSync } from 'node:fs'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import config from '../../orch.config.js'

/** Expressions of the rules and the dashboard, with their location. */
interface Expression {
  readonly place: string
  readonly text: string
}
const packaging = (path: string) => readFileSync(new URL(`../../../packaging/${path}`, import.meta.url), 'utf8')
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly expr: string
      readonly annotations: { readonly summary: string }
    }[]
  }[]
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}
const rules = (parse(packaging('prometheus/orch-rules.yaml')) as Rules).groups.flatMap(group => group.rules)
const { panels } = JSON.parse(packaging('grafana/orch-dashboard.json')) as Dashboard
const expressions: Expression[] = [
  ...rules.map(({ alert, expr }) => ({ place: alert, text: expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: title, text: expr }))),
]

/** Metrics that appear only after a backup, or with certificates, which this server does not have. */
const later = ['storage_backup_last_success_timestamp_seconds', 'apiserver_certificate_expiration_timestamp_seconds']
/** Labels that Prometheus adds, and the one of histogram buckets. */
const ofPrometheus = ['instance', 'job', 'le']
/** Counters that have the names of the reference. */
const namedByReference = ['apiserver_admission_webhook_fail_open_count', 'apiserver_admission_webhook_rejection_count']

interface Metric {
  readonly type: string
  readonly labels: Set<string>
}
function readMetrics(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>()
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    metrics.set(name, { type, labels: new Set() })
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]+)\{(.*)\} \S+$/gm)) {
    const family = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ''))
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) family?.labels.add(label)
  }
  return metrics
}

const monitoring = suite('rules and dashboard')
let server: TestServer
let metrics: Map<string, Metric>
monitoring.before(async () => {
  server = await startServer({ plugins: config.plugins })
  const get = (path: string) =>
    fetch(`${server.baseUrl}${path}`, { headers: { authorization: `Bearer ${server.token}` } })
  await (await get('/api/v1/namespaces')).text()
  metrics = readMetrics(await (await get('/metrics')).text())
})
monitoring.after(() => server.stop())

const namesIn = (text: string) =>
  [...text.matchAll(/\b((?:apiserver|workqueue|process|storage)_[a-z_]+)/g)].map(([, name = '']) => name)

monitoring('use only metrics that the server exports', () => {
  assert.ok(expressions.length > 25)
  const missing = expressions.flatMap(({ place, text }) =>
    namesIn(text)
      .filter(name => !metrics.has(name) && !metrics.has(name.replace(/_bucket$/, '')) && !later.includes(name))
      .map(name => `${place}: ${name}`),
  )
  assert.equal(missing, [])
})

monitoring('select and group by existing labels', () => {
  const wrong = expressions.flatMap(({ place, text }) => {
    const [name = ''] = namesIn(text)
    const known = metrics.get(name) ?? metrics.get(name.replace(/_bucket$/, ''))
    // Without a sample the labels are unknown.
    if (!known || known.labels.size === 0) return []
    const used = [
      ...[...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) => [
        ...inside.matchAll(/([a-z_]+)(?:=|!=|=~|!~)"/g),
      ]),
      ...[...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside = '']) => [...inside.matchAll(/([a-z_]+)/g)]),
    ].map(([, label = '']) => label)
    return used
      .filter(label => !known.labels.has(label) && !ofPrometheus.includes(label))
      .map(label => `${place}: ${label}`)
  })
  assert.equal(wrong, [])
})

monitoring('rates are computed from counters, whose names end in _total', () => {
  const odd = [...metrics].filter(
    ([name, { type }]) => (type === 'counter') !== name.endsWith('_total') && !namedByReference.includes(name),
  )
  assert.equal(
    odd.map(([name]) => name),
    [],
  )
  const rated = expressions.flatMap(({ text }) => [...text.matchAll(/rate\(([a-z_]+)/g)].map(([, name = '']) => name))
  for (const name of rated) assert.ok(/_(total|bucket)$/.test(name), name)
})

monitoring('every alert has a summary', () => {
  for (const { alert, annotations } of rules) assert.match(annotations.summary, /\.$/, alert)
  assert.is(new Set(rules.map(({ alert }) => alert)).size, rules.length)
})

monitoring.run()
