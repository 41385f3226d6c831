import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { imageTag } from './image-tag.js'

const digest = `sha256:${'0123abcd'.repeat(8)}`
const tags = suite('the tag of an image')

const cases: Record<string, string> = {
  nginx: 'latest',
  'nginx:1.21': '1.21',
  [`nginx@${digest}`]: '',
  [`nginx:1.21@${digest}`]: '1.21',
  'localhost:5000/team/app': 'latest',
  'localhost:5000/team/app:v1': 'v1',
  'Registry.Example.com/a__b/c---d/e.f_g': 'latest',
  '[2001:db8::1]:5000/app:v2': 'v2',
  'host:5000': '5000',
  '': '',
  Nginx: '',
  a___b: '',
  'a//b': '',
  'a..b/c': '',
  'a-.b/c': '',
  '-a.b/c': '',
  'nginx:': '',
  [`nginx:${'t'.repeat(128)}`]: 't'.repeat(128),
  [`nginx:${'t'.repeat(129)}`]: '',
  'nginx@sha256:0123': '',
  ['0a'.repeat(32)]: '',
  ['0a'.repeat(31)]: 'latest',
  [`nginx@${digest}@${digest}`]: '',
  [`host/${'n'.repeat(250)}`]: 'latest',
  [`host/${'n'.repeat(251)}`]: '',
}
for (const [image, tag] of Object.entries(cases))
  tags(`"${image.slice(0, 60)}" has ${tag === '' ? 'none' : `"${tag.slice(0, 20)}"`}`, () =>
    assert.is(imageTag(image), tag),
  )

tags('an invalid name is rejected quickly, however long it is', () => {
  const start = process.cpuUsage()
  for (const image of [
    'registry.example.com/team/frontendapplicationV2',
    'registry.example.com/team/authentication-service:{{ .Values.tag }}',
    `${'a'.repeat(3_000_000)}V`,
    `${'a-'.repeat(1_500_000)}`,
    `${'a/'.repeat(1_500_000)}`,
    `${'a'.repeat(500)}/${'-'.repeat(500)}`,
  ])
    assert.is(imageTag(image), '')
  assert.ok(process.cpuUsage(start).user < 100_000, 'took longer than 100 ms')
})

tags.run()
