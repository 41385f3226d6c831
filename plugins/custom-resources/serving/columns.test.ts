import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { columnsOf } from './columns.js'

const namesOf = (...paths: readonly string[]) =>
  columnsOf(paths.map(jsonPath => ({ name: jsonPath, type: 'string', jsonPath }))).map(({ name }) => name)

const columns = suite('columns of a definition')

columns('are followed by the age only if there are none', () => {
  assert.equal(namesOf(), ['Name', 'Age'])
  assert.equal(namesOf('.spec.a', '.spec["b"]'), ['Name', '.spec.a', '.spec["b"]'])
})
columns('end before the first one without a valid path', () => {
  assert.equal(namesOf('.spec.a', '.spec[', '.spec.b'), ['Name', '.spec.a'])
  assert.equal(namesOf('.spec['), ['Name'])
})

columns.run()
