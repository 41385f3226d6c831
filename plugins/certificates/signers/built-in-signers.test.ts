import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRequest } from '../signing/parse-request.js'
import { acmeNames } from '../testing/acme.js'
import { aNodeRequest, aRequest, type MadeRequest } from '../testing/made-requests.js'
import { type BuiltInSigner, builtInSigner, signerRules } from './built-in-signers.js'

const signers = suite('built-in signers')

const dns = { type: 'dns', value: 'n1' } as const
const ip = { type: 'ip', value: '10.0.0.1' } as const
const email = { type: 'email', value: 'a@example.com' } as const
const uri = { type: 'url', value: 'https://example.com' } as const
const client = ['key encipherment', 'digital signature', 'client auth']
const serving = ['key encipherment', 'digital signature', 'server auth']
const host = { names: [dns] }

type Case = readonly [title: string, request: () => Promise<MadeRequest>, usages: readonly string[], problem?: RegExp]
/** Every row of the table in the specification: what is accepted, and what is refused for which reason. */
const table: Readonly<Record<BuiltInSigner, readonly Case[]>> = {
  client: [
    ['any subject', () => aRequest({ organizations: ['dev', 'ops'] }), client],
    ['client auth alone', () => aRequest(), ['client auth']],
    ['alternative names of every kind', () => aRequest({ names: [dns, ip, email, uri] }), client],
    ['a request for the CA bit, which is ignored', () => aRequest({ asksForCa: true }), client],
    ['an RSA key of 2048 bits', () => aRequest({ key: 'RSA-2048' }), client],
    ['no client auth', () => aRequest(), ['digital signature'], /missing .* client auth/],
    ['server auth', () => aRequest(), [...client, 'server auth'], /server auth/],
    ['cert sign', () => aRequest(), [...client, 'cert sign'], /cert sign/],
    ['an RSA key that is too small', () => aRequest({ key: 'RSA-1024' }), client, /2048/],
    ['two common names', () => aRequest({ commonNames: ['a', 'b'] }), client, /common name/],
  ],
  nodeAgentClient: [
    ['a node agent', () => aNodeRequest(), client],
    ['its usages in another order', () => aNodeRequest(), [...client].reverse()],
    ['a request for the CA bit, which is ignored', () => aNodeRequest({ asksForCa: true }), client],
    ['another organization', () => aNodeRequest({ organizations: ['dev'] }), client, /organization/],
    ['no organization', () => aNodeRequest({ organizations: [] }), client, /organization/],
    ['one organization more', () => aNodeRequest({ organizations: ['system:nodes', 'dev'] }), client, /organization/],
    ['another common name', () => aNodeRequest({ commonNames: ['n1'] }), client, /common name/],
    ['no common name', () => aNodeRequest({ commonNames: [] }), client, /common name/],
    ['two common names', () => aNodeRequest({ commonNames: ['jane', 'system:node:n1'] }), client, /common name/],
    ['a DNS name', () => aNodeRequest({ names: [dns] }), client, /subjectAltName/],
    ['an IP address', () => aNodeRequest({ names: [ip] }), client, /subjectAltName/],
    ['an email address', () => aNodeRequest({ names: [email] }), client, /subjectAltName/],
    ['a URI', () => aNodeRequest({ names: [uri] }), client, /subjectAltName/],
    ['server auth instead', () => aNodeRequest(), serving, /usages/],
    ['a usage less', () => aNodeRequest(), ['digital signature', 'client auth'], /usages/],
    ['a usage more', () => aNodeRequest(), [...client, 'server auth'], /usages/],
    ['an RSA key that is too small', () => aNodeRequest({ key: 'RSA-1024' }), client, /2048/],
  ],
  nodeAgentServing: [
    ['a node agent with a DNS name', () => aNodeRequest(host), serving],
    ['a node agent with an address', () => aNodeRequest({ names: [ip] }), serving],
    ['a request for the CA bit, which is ignored', () => aNodeRequest({ ...host, asksForCa: true }), serving],
    ['no alternative name', () => aNodeRequest(), serving, /required/],
    ['a URI beside a DNS name', () => aNodeRequest({ names: [dns, uri] }), serving, /URI/],
    ['an email address beside a DNS name', () => aNodeRequest({ names: [dns, email] }), serving, /Email/],
    ['a URI alone', () => aNodeRequest({ names: [uri] }), serving, /required/],
    ['another organization', () => aNodeRequest({ ...host, organizations: ['dev'] }), serving, /organization/],
    ['another common name', () => aNodeRequest({ ...host, commonNames: ['n1'] }), serving, /common name/],
    ['client auth instead', () => aNodeRequest(host), client, /usages/],
    ['client auth as well', () => aNodeRequest(host), [...serving, 'client auth'], /usages/],
    ['an RSA key that is too small', () => aNodeRequest({ ...host, key: 'RSA-1024' }), serving, /2048/],
  ],
  legacyUnknown: [
    ['any subject and usage', () => aRequest({ names: [uri], organizations: ['x'] }), ['cert sign', 'any']],
    ['an RSA key that is too small', () => aRequest({ key: 'RSA-1024' }), ['any'], /2048/],
  ],
}
for (const [signer, cases] of Object.entries(table))
  for (const [title, request, usages, problem] of cases)
    signers(`${signer} ${problem === undefined ? 'accepts' : 'refuses'} ${title}`, async () => {
      const parsed = await parseRequest(Buffer.from((await request()).pem))
      const found = signerRules[signer as BuiltInSigner](parsed, usages)
      if (problem === undefined) assert.is(found, undefined)
      else assert.match(found ?? 'nothing', problem)
    })

signers('are known by the names of the vendor', () => {
  assert.is(builtInSigner(acmeNames, 'acme.test/apiserver-client'), 'client')
  assert.is(builtInSigner(acmeNames, 'acme.test/apiserver-client-nodeagent'), 'nodeAgentClient')
  assert.is(builtInSigner(acmeNames, 'acme.test/nodeagent-serving'), 'nodeAgentServing')
  assert.is(builtInSigner(acmeNames, 'acme.test/legacy-unknown'), 'legacyUnknown')
  for (const other of ['example.com/apiserver-client', 'acme.test/other', 'constructor'])
    assert.is(builtInSigner(acmeNames, other), undefined)
})
signers.run()
