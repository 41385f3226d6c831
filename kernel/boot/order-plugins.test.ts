import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { orderPlugins } from './order-plugins.js'

const order = suite('plugin order')
const plugin = (name: string, ...requires: string[]) => ({
  definition: { name, requires, register() {} },
  given: {},
  source: name,
})
const namesOf = (plugins: Parameters<typeof orderPlugins>[0]) =>
  orderPlugins(plugins).ordered.map(p => p.definition.name)

order('is that of the config without requirements', () => {
  assert.equal(namesOf([plugin('b'), plugin('a')]), ['b', 'a'])
})
order('puts required plugins first', () => {
  assert.equal(namesOf([plugin('a', 'c'), plugin('b', 'c'), plugin('c', 'd'), plugin('d')]), ['d', 'c', 'a', 'b'])
})
order('reports a missing requirement and keeps the plugin', () => {
  const { ordered, problems } = orderPlugins([plugin('a', 'ghost')])
  assert.is(ordered.length, 1)
  assert.equal(problems[0]?.details, { plugin: 'a', requires: 'ghost' })
})
order('prints a cycle as a chain, once', () => {
  const { ordered, problems } = orderPlugins([plugin('x', 'a'), plugin('a', 'b'), plugin('b', 'c'), plugin('c', 'a')])
  assert.is(ordered.length, 4)
  assert.is(problems.length, 1)
  assert.equal(problems[0]?.details, { plugin: 'a', chain: ['a', 'b', 'c', 'a'] })
})
order.run()
