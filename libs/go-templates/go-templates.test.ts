import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fillGoTemplate } from './index.js'

const templates = suite('Go templates')

const data = {
  kind: 'List',
  none: null,
  items: [
    { kind: 'Deployment', metadata: { name: 'web', labels: { app: 'web', tier: 'front' } }, spec: { replicas: 3 } },
    { kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1', b: '22' } },
  ],
}
/** Templates and what kubectl 1.32 prints for them. */
const filled: Readonly<Record<string, string>> = {
  '{{range .items}}{{.kind}}/{{.metadata.name}} {{end}}': 'Deployment/web ConfigMap/settings ',
  '{{range $i, $e := .items}}{{if $i}}, {{end}}{{$e.metadata.name | printf "%-8s|"}}{{end}}': 'web     |, settings|',
  '{{with index .items 0}}{{.spec.replicas}} {{.metadata.labels}} {{.nothing}}{{else}}none{{end}}':
    '3 map[app:web tier:front] <no value>',
  'a {{- /* comment */ -}} b {{- "c" }} d': 'abc d',
  '{{range .items}}{{if and .spec (gt (len .kind) 5)}}big{{else if eq .kind "ConfigMap"}}cm{{else}}other{{end}};{{end}}':
    'big;cm;',
  '{{range .nothing}}x{{else}}empty{{end}} {{not true}} {{or "" "b"}} {{print 1 2 "a" 3}}': 'empty false b 1 2a3',
  '{{$x := 1}}{{range .items}}{{$x = .kind}}{{end}}{{$x}} {{(index .items 0).metadata.name}}': 'ConfigMap web',
  '{{range .items}}{{if eq .kind "ConfigMap"}}{{range $k, $v := .data}}{{$k}}={{len $v}};{{end}}{{break}}{{end}}{{end}}':
    'a=1;b=2;',
  '{{exists . "items"}} {{base64decode "aGk="}} {{.items | len}} {{eq 1 1}} {{ne "a" "b"}}': 'true hi 2 true true',
  '{{printf "%q %5d %v %x" "a" 3 true "hi"}} {{slice "abcdef" 1 3}} {{html "<a>"}} {{urlquery "a b&c"}}':
    '"a"     3 true 6869 bc &lt;a&gt; a+b%26c',
  '{{eq .none nil}} {{ne .none nil}} {{ne .kind nil}}': 'true false true',
  '{{$.kind}} {{`raw "}}"`}} {{"\\"\\n"}}': 'List raw "}}" "\n',
}
for (const [template, text] of Object.entries(filled))
  templates(`${template} is filled`, () => assert.is(fillGoTemplate(template, data), text))

const refused: Readonly<Record<string, RegExp>> = {
  '{{define "x"}}{{end}}': /\{\{define\}\}, which is not supported/,
  '{{template "x"}}': /\{\{template\}\}, which is not supported/,
  '{{nothing .}}': /calls the unknown function "nothing"; supported are and, or, not/,
  '{{if}}a{{end}}': /is missing a value/,
  '{{if .a}}b': /\{\{if\}\} without \{\{end\}\}/,
  '{{end}}': /without an open block/,
  '{{.a': /ends within/,
  '{{$x}}': /no variable \$x/,
  '{{.items.name}}': /the field name of a list/,
  '{{index .items 7}}': /out of range/,
}
for (const [template, why] of Object.entries(refused))
  templates(`${template} is rejected`, () => assert.throws(() => fillGoTemplate(template, data), why))

templates.run()
