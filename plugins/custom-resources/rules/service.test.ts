import { definePlugin, type StartTask } from 'orch/sdk'
import { ExpressionError, type SchemaRules, schemaRules } from 'orch/sdk/expressions'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { customResources } from '../plugin.js'

let offered: SchemaRules | undefined
const needs = { rules: schemaRules }
const takesRules: StartTask<typeof needs> = {
  name: 'takes the rules',
  needs,
  async run({ rules }) {
    offered = rules
  },
}
/** A plugin of somebody else that has rules checked. */
const generated = definePlugin({
  name: 'generated',
  requires: ['custom-resources'],
  register: to => to.onStart(takesRules),
})
const server = await startServer({
  plugins: ['orch/plugins/namespaces', 'orch/plugins/webhooks', customResources, generated],
})
const rules = offered!
const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    error => {
      assert.instance(error, ExpressionError)
      return error.message
    },
  )
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
  const told = check?.({ spec: { ports: [] } }).map(({ field, detail }) => [field, detail])
  assert.equal(told, [['spec', 'needs a port']])
  assert.is(await rules.rulesOf(pod), undefined)
  assert.match(await refused(rules.rulesOf({ ...pod, 'x-orch-validations': [{ rule: 'nothing' }] })), /undeclared/)
})

service.run()
