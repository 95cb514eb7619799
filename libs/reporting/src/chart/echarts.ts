// What charts need of ECharts. The build puts it into this module's output, which is a hundredth of the package.
export { type EChartsCoreOption, init, use } from 'echarts/core';
export { BarChart, LineChart, PieChart } from 'echarts/charts';
export { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
export { SVGRenderer } from 'echarts/renderers';
