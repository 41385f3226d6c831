import { readFileSync } from 'node:fs'
import { isRecord } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { credentialsFile, flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { corpusKey, loadCorpus } from './corpus.js'
import { discoverApi } from './served-api.js'

/** Inherited property names: a careless lookup of such a name in a table returns a function. */
const words = ['constructor', '__proto__']
const token: string = JSON.parse(readFileSync(credentialsFile, 'utf8')).admin.token
/** The longest recorded body of each type is used, unless it is longer than this. */
const maxLength = 1500
const atOnce = 8

/** Copies of the body, each with another one of its strings replaced. */
function* replaced(value: unknown, by: string, path = ''): Iterable<readonly [path: string, value: unknown]> {
  if (typeof value === 'string') yield [path, by]
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const [at, other] of replaced(item, by, `${path}[${index}]`)) yield [at, value.with(index, other)]
  } else if (isRecord(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (name === 'apiVersion' || (path === '' && name === 'kind')) continue
      for (const [at, other] of replaced(field, by, `${path}.${name}`)) yield [at, { ...value, [name]: other }]
    }
  }
}

const inherited = suite('names of inherited properties')

inherited('are ordinary strings in every field of every type', async () => {
  const server = await startOrch({ flags: [...(await flagsOf('base')), '--tls=false'] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const failures: string[] = []
  let count = 0
  try {
    const { targets } = await discoverApi(async path => (await fetch(server.url + path, { headers })).json())
    const corpus = loadCorpus('kubernetes')
    const requests = (function* () {
      for (const { root, resource, subresource, namespaced, verbs } of targets) {
        if (subresource !== '' || !verbs.includes('create')) continue
        const path = `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`
        const bodies = (corpus.get(corpusKey(path)) ?? []).filter(({ length }) => length <= maxLength)
        const longest = bodies.reduce((found, text) => (text.length > found.length ? text : found), '{}')
        for (const word of words)
          for (const [at, body] of replaced(JSON.parse(longest), word)) yield { path, at: `${at} = ${word}`, body }
      }
    })()
    const send = async () => {
      for (const { path, at, body } of requests) {
        count++
        const options = { method: 'POST', headers, body: JSON.stringify(body) }
        const answer = await fetch(`${server.url}${path}?dryRun=All`, options)
        const text = await answer.text()
        if (answer.status >= 500) failures.push(`${path} ${at}: ${answer.status} ${text.slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, send))
  } finally {
    await server.stop()
  }
  assert.equal(failures, [])
  assert.ok(count > 1000, `${count} requests`)
})

inherited.run()
