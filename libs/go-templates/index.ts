export { TemplateError } from './errors.js'
export { fillGoTemplate } from './fill-template.js'
