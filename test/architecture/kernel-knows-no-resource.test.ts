import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ordinaryWords, resourceTypes } from './resource-names.js'
import { scanCode } from './scan-code.js'
import { sources } from './sources.js'

const names = new Set(resourceTypes.flat())
const distinctive = new Set([...names].filter(name => !ordinaryWords.includes(name)))

/**
 * Words of the kernel's own: `namespaces` is a segment of every namespaced path, services are what plugins offer each
 * other, events are what a watch carries.
 */
const ownWords = ['namespaces', 'services', 'events']

/** Words that happen to be the name of a type but mean something else in one file. */
const otherMeanings: Readonly<Record<string, readonly string[]>> = {
  // Controls are named after what they guard; this is the one list of their order.
  'kernel/admission/chain-order.ts': ['PodSecurityPolicy', 'ServiceAccount', 'ResourceQuota', 'RuntimeClass'],
  // The kind of an audit record.
  'kernel/request/audit.ts': ['Event'],
  // What the specification calls the permission to act as a service account.
  'kernel/request/impersonate.ts': ['serviceaccounts'],
}

const kernel = suite('the kernel names no resource type')

kernel('no literal in kernel sources is or contains the name of a type', () => {
  const found = sources('kernel')
    .filter(source => !source.isTest)
    .flatMap(({ path, text }) =>
      scanCode(text).literals.flatMap(literal => {
        const words = names.has(literal) ? [literal] : literal.split(/[^A-Za-z]+/).filter(word => distinctive.has(word))
        return words
          .filter(word => !ownWords.includes(word) && !otherMeanings[path]?.includes(word))
          .map(word => `${path}: ${word}`)
      }),
    )
  assert.equal(found, [])
})

kernel.run()
