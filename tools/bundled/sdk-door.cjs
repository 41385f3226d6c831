'use strict'
const { load } = require('../load-cached.cjs')
const { version, names } = require('./names.json')

/**
 * One sdk for the whole process: the copy that came first. A plugin may bring another one; its door then hands out the first,
 * unless that is of another major version or lacks a name that plugins of this copy may import. Such a copy stands by itself,
 * and both recognise what the other makes (sdk/plugin/across-copies.ts).
 */
const first = Symbol.for('orch.sdk')
const major = text => String(text).split('.')[0]
const fits = sdk => major(sdk.sdkVersion) === major(version) && names.every(name => name in sdk)

const earlier = globalThis[first]
if (earlier !== undefined && fits(earlier)) {
  module.exports = earlier
} else {
  module.exports = load('sdk/instance.cjs')
  if (earlier === undefined) Object.defineProperty(globalThis, first, { value: module.exports })
}
