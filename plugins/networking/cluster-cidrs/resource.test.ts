import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { clusterCidrs } from './resource.js'

const ranges = suite('ranges of nodes')

ranges('have names without dots', () => {
  const problemsOf = (name: string) => clusterCidrs(acmeNames).validateName?.(name, false).length
  assert.is(problemsOf('10-0-0-0'), 0)
  assert.is(problemsOf('10.0.0.0'), 1)
})

ranges.run()
