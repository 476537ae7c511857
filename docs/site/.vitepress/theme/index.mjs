import Theme from 'vitepress/theme'
import './contrast.css'

export default Theme
