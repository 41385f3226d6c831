import { rejects } from 'node:assert/strict'
import { ExpressionError, schemaRules } from 'orch/sdk/expressions'
import { startServer, takeService } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { customResources } from '../plugin.js'

const taken = takeService(schemaRules, 'custom-resources')
const server = await startServer({
  plugins: ['orch/plugins/namespaces', 'orch/plugins/webhooks', customResources, taken.plugin],
})
const rules = taken.get()
const pod = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 63 },
    ports: { type: 'array', maxItems: 10, items: { type: 'integer' } },
  },
}

const service = suite('rules of schemas for other plugins')
service.after(() => server.stop())

service('checks objects against the rules of a schema', async () => {
  const schema = { ...pod, 'x-orch-validations': [{ rule: 'size(self.ports) > 0', message: 'needs a port' }] }
  const check = await rules.rulesOf({ type: 'object', properties: { spec: schema } })
  assert.equal(check?.({ spec: { ports: [1] } }), [])
  const errors = check?.({ spec: { ports: [] } }).map(({ field, detail }) => [field, detail])
  assert.equal(errors, [['spec', 'needs a port']])
  assert.is(await rules.rulesOf(pod), undefined)
  const invalid = { ...pod, 'x-orch-validations': [{ rule: 'nothing' }] }
  await rejects(rules.rulesOf(invalid), error => error instanceof ExpressionError && /undeclared/.test(error.message))
})

service.run()
