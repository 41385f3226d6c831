import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import type { ResourceList } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAmounts, parseAmounts } from '../amounts/amounts.js'
import { Evaluators } from '../counting/evaluators.js'
import type { StoredQuota } from '../counting/resource-quota.js'
import { quotaNames } from '../names.js'
import { UsageCounter } from './count-usage.js'
import { ReleasedUsage } from './released-usage.js'

const evaluators = new Evaluators(quotaNames(new Vendor(orchProfile)))
const pods = evaluators.of({ group: '', resource: 'pods' })
const secrets = evaluators.of({ group: '', resource: 'secrets' })
const counter = new UsageCounter(() => 0)
const quota = (hard: ResourceList, scopes: string[] = []): StoredQuota => ({ metadata: {}, spec: { hard, scopes } })
const pod = (cpu: string, phase = 'Running'): ApiObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', resources: cpu === '' ? {} : { requests: { cpu } } }] },
  status: { phase },
})

const counting = suite('counting for a quota')

counting('sums the usage of objects, and returns zero without objects', () => {
  const hard = { pods: '9', 'requests.cpu': '9', 'limits.cpu': '9' }
  assert.equal(formatAmounts(counter.count(quota(hard), pods, [pod('1'), pod('500m')])), {
    pods: '2',
    'requests.cpu': '1500m',
    'limits.cpu': '0',
  })
  assert.equal(formatAmounts(counter.count(quota(hard), pods, [])), {
    pods: '0',
    'requests.cpu': '0',
    'limits.cpu': '0',
  })
})
counting('counts only objects in the scopes', () => {
  const best = quota({ pods: '9' }, ['BestEffort'])
  assert.equal(formatAmounts(counter.count(best, pods, [pod(''), pod('1')])), { pods: '1' })
  assert.equal(formatAmounts(counter.count(quota({ secrets: '9' }, ['BestEffort']), secrets, [pod('')])), {
    secrets: '0',
  })
})

const released = (one: StoredQuota, type: 'added' | 'modified' | 'deleted', object: ApiObject, previous?: ApiObject) =>
  formatAmounts(counter.released(one, pods, { type, object, previous }))
counting('releases the usage of a deleted object', () => {
  const gone = pod('1')
  assert.equal(released(quota({ pods: '9', 'requests.cpu': '9' }), 'deleted', gone, gone), {
    pods: '1',
    'requests.cpu': '1',
  })
})
counting('releases the resources of a finished Pod, but not the object count', () => {
  const one = quota({ pods: '9', 'count/pods': '9' })
  assert.equal(released(one, 'modified', pod('1', 'Succeeded'), pod('1')), { pods: '1' })
})
counting('releases nothing for new, out-of-scope and unchanged objects', () => {
  assert.equal(released(quota({ pods: '9' }), 'added', pod('1')), {})
  assert.equal(released(quota({ pods: '9' }, ['BestEffort']), 'deleted', pod('1'), pod('1')), {})
  assert.equal(released(quota({ pods: '9' }), 'modified', pod('1'), pod('1')), {})
})

counting('keeps released usage until it is subtracted', () => {
  const usage = new ReleasedUsage()
  const one = parseAmounts({ pods: '1' })
  usage.add('q', one)
  const taken = usage.of('q')
  usage.add('q', one)
  usage.subtract('q', taken)
  assert.equal(formatAmounts(usage.of('q')), { pods: '1' })
  usage.subtract('q', usage.of('q'))
  assert.is(usage.of('q').size, 0)
})

counting.run()
