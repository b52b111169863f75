#include "atoms/atom/nucleus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/fermi.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/math_constants.hpp"

namespace prophet {

namespace {

struct Isotope {
  int z, massNumber;
  double rms;  ///< fm
};

// I. Angeli, K. P. Marinova, At. Data Nucl. Data Tables 99, 69 (2013), as https://www-nds.iaea.org/radii has
// it: by Z, then A.
constexpr Isotope kIsotopes[] = {
    {1, 1, 0.8783},    {1, 2, 2.1421},    {1, 3, 1.7591},    {2, 3, 1.9661},    {2, 4, 1.6755},
    {2, 6, 2.0660},    {2, 8, 1.9239},    {3, 6, 2.5890},    {3, 7, 2.4440},    {3, 8, 2.3390},
    {3, 9, 2.2450},    {3, 11, 2.4820},   {4, 7, 2.6460},    {4, 9, 2.5190},    {4, 10, 2.3550},
    {4, 11, 2.4630},   {5, 10, 2.4277},   {5, 11, 2.4060},   {6, 12, 2.4702},   {6, 13, 2.4614},
    {6, 14, 2.5025},   {7, 14, 2.5582},   {7, 15, 2.6058},   {8, 16, 2.6991},   {8, 17, 2.6932},
    {8, 18, 2.7726},   {9, 19, 2.8976},   {10, 17, 3.0413},  {10, 18, 2.9714},  {10, 19, 3.0082},
    {10, 20, 3.0055},  {10, 21, 2.9695},  {10, 22, 2.9525},  {10, 23, 2.9104},  {10, 24, 2.9007},
    {10, 25, 2.9316},  {10, 26, 2.9251},  {10, 28, 2.9642},  {11, 20, 2.9718},  {11, 21, 3.0136},
    {11, 22, 2.9852},  {11, 23, 2.9936},  {11, 24, 2.9735},  {11, 25, 2.9769},  {11, 26, 2.9928},
    {11, 27, 3.0136},  {11, 28, 3.0400},  {11, 29, 3.0922},  {11, 30, 3.1180},  {11, 31, 3.1704},
    {12, 24, 3.0570},  {12, 25, 3.0284},  {12, 26, 3.0337},  {13, 27, 3.0610},  {14, 28, 3.1224},
    {14, 29, 3.1176},  {14, 30, 3.1336},  {15, 31, 3.1889},  {16, 32, 3.2611},  {16, 34, 3.2847},
    {16, 36, 3.2985},  {17, 35, 3.3654},  {17, 37, 3.3840},  {18, 32, 3.3468},  {18, 33, 3.3438},
    {18, 34, 3.3654},  {18, 35, 3.3636},  {18, 36, 3.3905},  {18, 37, 3.3908},  {18, 38, 3.4028},
    {18, 39, 3.4093},  {18, 40, 3.4274},  {18, 41, 3.4251},  {18, 42, 3.4414},  {18, 43, 3.4354},
    {18, 44, 3.4454},  {18, 46, 3.4377},  {19, 38, 3.4264},  {19, 39, 3.4349},  {19, 40, 3.4381},
    {19, 41, 3.4518},  {19, 42, 3.4517},  {19, 43, 3.4556},  {19, 44, 3.4563},  {19, 45, 3.4605},
    {19, 46, 3.4558},  {19, 47, 3.4534},  {20, 39, 3.4595},  {20, 40, 3.4776},  {20, 41, 3.4780},
    {20, 42, 3.5081},  {20, 43, 3.4954},  {20, 44, 3.5179},  {20, 45, 3.4944},  {20, 46, 3.4953},
    {20, 47, 3.4783},  {20, 48, 3.4771},  {20, 50, 3.5168},  {21, 42, 3.5702},  {21, 43, 3.5575},
    {21, 44, 3.5432},  {21, 45, 3.5459},  {21, 46, 3.5243},  {22, 44, 3.6115},  {22, 45, 3.5939},
    {22, 46, 3.6070},  {22, 47, 3.5962},  {22, 48, 3.5921},  {22, 49, 3.5733},  {22, 50, 3.5704},
    {23, 51, 3.6002},  {24, 50, 3.6588},  {24, 52, 3.6452},  {24, 53, 3.6511},  {24, 54, 3.6885},
    {25, 50, 3.7120},  {25, 51, 3.7026},  {25, 52, 3.6706},  {25, 53, 3.6662},  {25, 54, 3.6834},
    {25, 55, 3.7057},  {25, 56, 3.7146},  {26, 54, 3.6933},  {26, 56, 3.7377},  {26, 57, 3.7532},
    {26, 58, 3.7745},  {27, 59, 3.7875},  {28, 58, 3.7757},  {28, 60, 3.8118},  {28, 61, 3.8225},
    {28, 62, 3.8399},  {28, 64, 3.8572},  {29, 63, 3.8823},  {29, 65, 3.9022},  {30, 64, 3.9283},
    {30, 66, 3.9491},  {30, 67, 3.9530},  {30, 68, 3.9658},  {30, 70, 3.9845},  {31, 69, 3.9973},
    {31, 71, 4.0118},  {32, 70, 4.0414},  {32, 72, 4.0576},  {32, 73, 4.0632},  {32, 74, 4.0742},
    {32, 76, 4.0811},  {33, 75, 4.0968},  {34, 74, 4.0700},  {34, 76, 4.1395},  {34, 77, 4.1395},
    {34, 78, 4.1406},  {34, 80, 4.1400},  {34, 82, 4.1400},  {35, 79, 4.1629},  {35, 81, 4.1599},
    {36, 72, 4.1635},  {36, 74, 4.1870},  {36, 75, 4.2097},  {36, 76, 4.2020},  {36, 77, 4.2082},
    {36, 78, 4.2038},  {36, 79, 4.2034},  {36, 80, 4.1970},  {36, 81, 4.1952},  {36, 82, 4.1919},
    {36, 83, 4.1871},  {36, 84, 4.1884},  {36, 85, 4.1846},  {36, 86, 4.1835},  {36, 87, 4.1984},
    {36, 88, 4.2171},  {36, 89, 4.2286},  {36, 90, 4.2423},  {36, 91, 4.2543},  {36, 92, 4.2724},
    {36, 93, 4.2794},  {36, 94, 4.3002},  {36, 95, 4.3067},  {36, 96, 4.3267},  {37, 76, 4.2273},
    {37, 77, 4.2356},  {37, 78, 4.2385},  {37, 79, 4.2284},  {37, 80, 4.2271},  {37, 81, 4.2213},
    {37, 82, 4.2160},  {37, 83, 4.2058},  {37, 84, 4.1999},  {37, 85, 4.2036},  {37, 86, 4.2025},
    {37, 87, 4.1989},  {37, 88, 4.2170},  {37, 89, 4.2391},  {37, 90, 4.2554},  {37, 91, 4.2723},
    {37, 92, 4.2903},  {37, 93, 4.3048},  {37, 94, 4.3184},  {37, 95, 4.3391},  {37, 96, 4.3501},
    {37, 97, 4.4231},  {37, 98, 4.4336},  {38, 77, 4.2569},  {38, 78, 4.2561},  {38, 79, 4.2586},
    {38, 80, 4.2562},  {38, 81, 4.2547},  {38, 82, 4.2478},  {38, 83, 4.2455},  {38, 84, 4.2394},
    {38, 85, 4.2304},  {38, 86, 4.2307},  {38, 87, 4.2249},  {38, 88, 4.2240},  {38, 89, 4.2407},
    {38, 90, 4.2611},  {38, 91, 4.2740},  {38, 92, 4.2924},  {38, 93, 4.3026},  {38, 94, 4.3191},
    {38, 95, 4.3305},  {38, 96, 4.3522},  {38, 97, 4.3625},  {38, 98, 4.4377},  {38, 99, 4.4495},
    {38, 100, 4.4640}, {39, 86, 4.2513},  {39, 87, 4.2498},  {39, 88, 4.2441},  {39, 89, 4.2430},
    {39, 90, 4.2573},  {39, 92, 4.2887},  {39, 93, 4.3052},  {39, 94, 4.3142},  {39, 95, 4.3284},
    {39, 96, 4.3402},  {39, 97, 4.3580},  {39, 98, 4.3711},  {39, 99, 4.4658},  {39, 100, 4.4705},
    {39, 101, 4.4863}, {39, 102, 4.4911}, {40, 87, 4.2789},  {40, 88, 4.2787},  {40, 89, 4.2706},
    {40, 90, 4.2694},  {40, 91, 4.2845},  {40, 92, 4.3057},  {40, 94, 4.3320},  {40, 96, 4.3512},
    {40, 97, 4.3792},  {40, 98, 4.4012},  {40, 99, 4.4156},  {40, 100, 4.4891}, {40, 101, 4.5119},
    {40, 102, 4.5292}, {41, 90, 4.2891},  {41, 91, 4.2878},  {41, 92, 4.3026},  {41, 93, 4.3240},
    {41, 99, 4.4062},  {41, 101, 4.4861}, {41, 103, 4.5097}, {42, 90, 4.3265},  {42, 91, 4.3182},
    {42, 92, 4.3151},  {42, 94, 4.3529},  {42, 95, 4.3628},  {42, 96, 4.3847},  {42, 97, 4.3880},
    {42, 98, 4.4091},  {42, 100, 4.4468}, {42, 102, 4.4914}, {42, 103, 4.5145}, {42, 104, 4.5249},
    {42, 105, 4.5389}, {42, 106, 4.5490}, {42, 108, 4.5602}, {44, 96, 4.3908},  {44, 98, 4.4229},
    {44, 99, 4.4338},  {44, 100, 4.4531}, {44, 101, 4.4606}, {44, 102, 4.4809}, {44, 104, 4.5098},
    {45, 103, 4.4945}, {46, 102, 4.4827}, {46, 104, 4.5078}, {46, 105, 4.5150}, {46, 106, 4.5318},
    {46, 108, 4.5563}, {46, 110, 4.5782}, {47, 101, 4.4799}, {47, 103, 4.5036}, {47, 104, 4.5119},
    {47, 105, 4.5269}, {47, 107, 4.5454}, {47, 109, 4.5638}, {48, 102, 4.4810}, {48, 103, 4.4951},
    {48, 104, 4.5122}, {48, 105, 4.5216}, {48, 106, 4.5383}, {48, 107, 4.5466}, {48, 108, 4.5577},
    {48, 109, 4.5601}, {48, 110, 4.5765}, {48, 111, 4.5845}, {48, 112, 4.5944}, {48, 113, 4.6012},
    {48, 114, 4.6087}, {48, 115, 4.6114}, {48, 116, 4.6203}, {48, 117, 4.6136}, {48, 118, 4.6246},
    {48, 120, 4.6300}, {49, 104, 4.5184}, {49, 105, 4.5311}, {49, 106, 4.5375}, {49, 107, 4.5494},
    {49, 108, 4.5571}, {49, 109, 4.5685}, {49, 110, 4.5742}, {49, 111, 4.5856}, {49, 112, 4.5907},
    {49, 113, 4.6010}, {49, 114, 4.6056}, {49, 115, 4.6156}, {49, 116, 4.6211}, {49, 117, 4.6292},
    {49, 118, 4.6335}, {49, 119, 4.6407}, {49, 120, 4.6443}, {49, 121, 4.6505}, {49, 122, 4.6534},
    {49, 123, 4.6594}, {49, 124, 4.6625}, {49, 125, 4.6670}, {49, 126, 4.6702}, {49, 127, 4.6733},
    {50, 108, 4.5605}, {50, 109, 4.5679}, {50, 110, 4.5785}, {50, 111, 4.5836}, {50, 112, 4.5948},
    {50, 113, 4.6015}, {50, 114, 4.6099}, {50, 115, 4.6148}, {50, 116, 4.6250}, {50, 117, 4.6302},
    {50, 118, 4.6393}, {50, 119, 4.6438}, {50, 120, 4.6519}, {50, 121, 4.6566}, {50, 122, 4.6634},
    {50, 123, 4.6665}, {50, 124, 4.6735}, {50, 125, 4.6765}, {50, 126, 4.6833}, {50, 127, 4.6867},
    {50, 128, 4.6921}, {50, 129, 4.6934}, {50, 130, 4.7019}, {50, 131, 4.7078}, {50, 132, 4.7093},
    {51, 121, 4.6802}, {51, 123, 4.6879}, {52, 116, 4.6847}, {52, 118, 4.6956}, {52, 120, 4.7038},
    {52, 122, 4.7095}, {52, 123, 4.7117}, {52, 124, 4.7183}, {52, 125, 4.7204}, {52, 126, 4.7266},
    {52, 128, 4.7346}, {52, 130, 4.7423}, {52, 132, 4.7500}, {52, 134, 4.7569}, {52, 136, 4.7815},
    {53, 127, 4.7500}, {54, 116, 4.7211}, {54, 118, 4.7387}, {54, 120, 4.7509}, {54, 122, 4.7590},
    {54, 124, 4.7661}, {54, 126, 4.7722}, {54, 127, 4.7747}, {54, 128, 4.7774}, {54, 129, 4.7775},
    {54, 130, 4.7818}, {54, 131, 4.7808}, {54, 132, 4.7859}, {54, 133, 4.7831}, {54, 134, 4.7899},
    {54, 136, 4.7964}, {54, 137, 4.8094}, {54, 138, 4.8279}, {54, 139, 4.8409}, {54, 140, 4.8566},
    {54, 141, 4.8694}, {54, 142, 4.8841}, {54, 143, 4.8942}, {54, 144, 4.9082}, {54, 146, 4.9315},
    {55, 118, 4.7832}, {55, 119, 4.7896}, {55, 120, 4.7915}, {55, 121, 4.7769}, {55, 122, 4.7773},
    {55, 123, 4.7820}, {55, 124, 4.7828}, {55, 125, 4.7880}, {55, 126, 4.7872}, {55, 127, 4.7936},
    {55, 128, 4.7921}, {55, 129, 4.7981}, {55, 130, 4.7992}, {55, 131, 4.8026}, {55, 132, 4.8002},
    {55, 133, 4.8041}, {55, 134, 4.8031}, {55, 135, 4.8067}, {55, 136, 4.8059}, {55, 137, 4.8128},
    {55, 138, 4.8255}, {55, 139, 4.8422}, {55, 140, 4.8554}, {55, 141, 4.8689}, {55, 142, 4.8825},
    {55, 143, 4.8965}, {55, 144, 4.9055}, {55, 145, 4.9188}, {55, 146, 4.9281}, {56, 120, 4.8092},
    {56, 121, 4.8176}, {56, 122, 4.8153}, {56, 123, 4.8135}, {56, 124, 4.8185}, {56, 125, 4.8177},
    {56, 126, 4.8221}, {56, 127, 4.8204}, {56, 128, 4.8255}, {56, 129, 4.8248}, {56, 130, 4.8283},
    {56, 131, 4.8276}, {56, 132, 4.8303}, {56, 133, 4.8286}, {56, 134, 4.8322}, {56, 135, 4.8294},
    {56, 136, 4.8334}, {56, 137, 4.8314}, {56, 138, 4.8378}, {56, 139, 4.8513}, {56, 140, 4.8684},
    {56, 141, 4.8807}, {56, 142, 4.8953}, {56, 143, 4.9087}, {56, 144, 4.9236}, {56, 145, 4.9345},
    {56, 146, 4.9479}, {56, 148, 4.9731}, {57, 135, 4.8488}, {57, 137, 4.8496}, {57, 138, 4.8473},
    {57, 139, 4.8550}, {58, 136, 4.8739}, {58, 138, 4.8737}, {58, 140, 4.8771}, {58, 142, 4.9063},
    {58, 144, 4.9303}, {58, 146, 4.9590}, {58, 148, 4.9893}, {59, 141, 4.8919}, {60, 132, 4.9174},
    {60, 134, 4.9128}, {60, 135, 4.9086}, {60, 136, 4.9111}, {60, 137, 4.9080}, {60, 138, 4.9123},
    {60, 139, 4.9076}, {60, 140, 4.9101}, {60, 141, 4.9057}, {60, 142, 4.9123}, {60, 143, 4.9254},
    {60, 144, 4.9421}, {60, 145, 4.9535}, {60, 146, 4.9696}, {60, 148, 4.9999}, {60, 150, 5.0400},
    {62, 138, 4.9599}, {62, 139, 4.9556}, {62, 140, 4.9565}, {62, 141, 4.9517}, {62, 142, 4.9518},
    {62, 143, 4.9479}, {62, 144, 4.9524}, {62, 145, 4.9651}, {62, 146, 4.9808}, {62, 147, 4.9892},
    {62, 148, 5.0042}, {62, 149, 5.0134}, {62, 150, 5.0387}, {62, 151, 5.0550}, {62, 152, 5.0819},
    {62, 153, 5.0925}, {62, 154, 5.1053}, {63, 137, 4.9762}, {63, 138, 4.9779}, {63, 139, 4.9760},
    {63, 140, 4.9695}, {63, 141, 4.9697}, {63, 142, 4.9607}, {63, 143, 4.9636}, {63, 144, 4.9612},
    {63, 145, 4.9663}, {63, 146, 4.9789}, {63, 147, 4.9938}, {63, 148, 5.0045}, {63, 149, 5.0202},
    {63, 150, 5.0296}, {63, 151, 5.0522}, {63, 152, 5.1064}, {63, 153, 5.1115}, {63, 154, 5.1239},
    {63, 155, 5.1221}, {63, 156, 5.1264}, {63, 157, 5.1351}, {63, 158, 5.1413}, {63, 159, 5.1498},
    {64, 145, 4.9786}, {64, 146, 4.9801}, {64, 148, 5.0080}, {64, 150, 5.0342}, {64, 152, 5.0774},
    {64, 154, 5.1223}, {64, 155, 5.1319}, {64, 156, 5.1420}, {64, 157, 5.1449}, {64, 158, 5.1569},
    {64, 160, 5.1734}, {65, 147, 4.9201}, {65, 148, 4.9291}, {65, 149, 4.9427}, {65, 150, 4.9499},
    {65, 151, 4.9630}, {65, 152, 4.9689}, {65, 153, 4.9950}, {65, 154, 5.0333}, {65, 155, 5.0391},
    {65, 157, 5.0489}, {65, 159, 5.0600}, {66, 146, 5.0438}, {66, 148, 5.0455}, {66, 149, 5.0567},
    {66, 150, 5.0706}, {66, 151, 5.0801}, {66, 152, 5.0950}, {66, 153, 5.1035}, {66, 154, 5.1241},
    {66, 155, 5.1457}, {66, 156, 5.1622}, {66, 157, 5.1709}, {66, 158, 5.1815}, {66, 159, 5.1825},
    {66, 160, 5.1951}, {66, 161, 5.1962}, {66, 162, 5.2074}, {66, 163, 5.2099}, {66, 164, 5.2218},
    {67, 151, 5.0398}, {67, 152, 5.0614}, {67, 153, 5.0760}, {67, 154, 5.0856}, {67, 155, 5.1076},
    {67, 156, 5.1156}, {67, 157, 5.1535}, {67, 158, 5.1571}, {67, 159, 5.1675}, {67, 160, 5.1662},
    {67, 161, 5.1785}, {67, 162, 5.1817}, {67, 163, 5.1907}, {67, 165, 5.2022}, {68, 150, 5.0548},
    {68, 152, 5.0843}, {68, 154, 5.1129}, {68, 156, 5.1429}, {68, 158, 5.1761}, {68, 160, 5.2045},
    {68, 162, 5.2246}, {68, 164, 5.2389}, {68, 166, 5.2516}, {68, 167, 5.2560}, {68, 168, 5.2644},
    {68, 170, 5.2789}, {69, 153, 5.0643}, {69, 154, 5.0755}, {69, 156, 5.0976}, {69, 157, 5.1140},
    {69, 158, 5.1235}, {69, 159, 5.1392}, {69, 160, 5.1504}, {69, 161, 5.1616}, {69, 162, 5.1713},
    {69, 163, 5.1849}, {69, 164, 5.1906}, {69, 165, 5.2004}, {69, 166, 5.2046}, {69, 167, 5.2129},
    {69, 168, 5.2170}, {69, 169, 5.2256}, {69, 170, 5.2303}, {69, 171, 5.2388}, {69, 172, 5.2411},
    {70, 152, 5.0423}, {70, 154, 5.0875}, {70, 155, 5.1040}, {70, 156, 5.1219}, {70, 157, 5.1324},
    {70, 158, 5.1498}, {70, 159, 5.1629}, {70, 160, 5.1781}, {70, 161, 5.1889}, {70, 162, 5.2054},
    {70, 163, 5.2157}, {70, 164, 5.2307}, {70, 165, 5.2399}, {70, 166, 5.2525}, {70, 167, 5.2621},
    {70, 168, 5.2702}, {70, 169, 5.2771}, {70, 170, 5.2853}, {70, 171, 5.2906}, {70, 172, 5.2995},
    {70, 173, 5.3046}, {70, 174, 5.3108}, {70, 175, 5.3135}, {70, 176, 5.3215}, {71, 161, 5.2293},
    {71, 162, 5.2398}, {71, 163, 5.2567}, {71, 164, 5.2677}, {71, 165, 5.2830}, {71, 166, 5.2972},
    {71, 167, 5.3108}, {71, 168, 5.3227}, {71, 169, 5.3290}, {71, 170, 5.3364}, {71, 171, 5.3436},
    {71, 172, 5.3486}, {71, 173, 5.3577}, {71, 174, 5.3634}, {71, 175, 5.3700}, {71, 176, 5.3739},
    {71, 177, 5.3815}, {71, 178, 5.3857}, {71, 179, 5.3917}, {72, 170, 5.2898}, {72, 171, 5.3041},
    {72, 172, 5.3065}, {72, 173, 5.3140}, {72, 174, 5.3201}, {72, 175, 5.3191}, {72, 176, 5.3286},
    {72, 177, 5.3309}, {72, 178, 5.3371}, {72, 179, 5.3408}, {72, 180, 5.3470}, {72, 182, 5.3516},
    {73, 181, 5.3507}, {74, 180, 5.3491}, {74, 182, 5.3559}, {74, 183, 5.3611}, {74, 184, 5.3658},
    {74, 186, 5.3743}, {75, 185, 5.3596}, {75, 187, 5.3698}, {76, 184, 5.3823}, {76, 186, 5.3909},
    {76, 187, 5.3933}, {76, 188, 5.3993}, {76, 189, 5.4016}, {76, 190, 5.4062}, {76, 192, 5.4126},
    {77, 182, 5.3705}, {77, 183, 5.3780}, {77, 184, 5.3805}, {77, 185, 5.3854}, {77, 186, 5.3900},
    {77, 187, 5.3812}, {77, 188, 5.3838}, {77, 189, 5.3898}, {77, 191, 5.3968}, {77, 193, 5.4032},
    {78, 178, 5.3728}, {78, 179, 5.3915}, {78, 180, 5.3891}, {78, 181, 5.3996}, {78, 182, 5.3969},
    {78, 183, 5.4038}, {78, 184, 5.4015}, {78, 185, 5.4148}, {78, 186, 5.4037}, {78, 187, 5.4063},
    {78, 188, 5.4053}, {78, 189, 5.4060}, {78, 190, 5.4108}, {78, 191, 5.4102}, {78, 192, 5.4169},
    {78, 193, 5.4191}, {78, 194, 5.4236}, {78, 195, 5.4270}, {78, 196, 5.4307}, {78, 198, 5.4383},
    {79, 183, 5.4247}, {79, 184, 5.4306}, {79, 185, 5.4296}, {79, 186, 5.4354}, {79, 187, 5.4018},
    {79, 188, 5.4049}, {79, 189, 5.4084}, {79, 190, 5.4109}, {79, 191, 5.4147}, {79, 192, 5.4179},
    {79, 193, 5.4221}, {79, 194, 5.4252}, {79, 195, 5.4298}, {79, 196, 5.4332}, {79, 197, 5.4371},
    {79, 198, 5.4400}, {79, 199, 5.4454}, {80, 181, 5.4364}, {80, 182, 5.3833}, {80, 183, 5.4405},
    {80, 184, 5.3949}, {80, 185, 5.4397}, {80, 186, 5.4017}, {80, 187, 5.4046}, {80, 188, 5.4085},
    {80, 189, 5.4100}, {80, 190, 5.4158}, {80, 191, 5.4171}, {80, 192, 5.4232}, {80, 193, 5.4238},
    {80, 194, 5.4309}, {80, 195, 5.4345}, {80, 196, 5.4385}, {80, 197, 5.4412}, {80, 198, 5.4463},
    {80, 199, 5.4474}, {80, 200, 5.4551}, {80, 201, 5.4581}, {80, 202, 5.4648}, {80, 203, 5.4679},
    {80, 204, 5.4744}, {80, 205, 5.4776}, {80, 206, 5.4837}, {81, 188, 5.4017}, {81, 190, 5.4121},
    {81, 191, 5.4169}, {81, 192, 5.4191}, {81, 193, 5.4243}, {81, 194, 5.4259}, {81, 195, 5.4325},
    {81, 196, 5.4327}, {81, 197, 5.4388}, {81, 198, 5.4396}, {81, 199, 5.4479}, {81, 200, 5.4491},
    {81, 201, 5.4573}, {81, 202, 5.4595}, {81, 203, 5.4666}, {81, 204, 5.4704}, {81, 205, 5.4759},
    {81, 207, 5.4853}, {81, 208, 5.4946}, {82, 182, 5.3788}, {82, 183, 5.3869}, {82, 184, 5.3930},
    {82, 185, 5.3984}, {82, 186, 5.4027}, {82, 187, 5.4079}, {82, 188, 5.4139}, {82, 189, 5.4177},
    {82, 190, 5.4222}, {82, 191, 5.4229}, {82, 192, 5.4300}, {82, 193, 5.4310}, {82, 194, 5.4372},
    {82, 195, 5.4389}, {82, 196, 5.4444}, {82, 197, 5.4446}, {82, 198, 5.4524}, {82, 199, 5.4529},
    {82, 200, 5.4611}, {82, 201, 5.4629}, {82, 202, 5.4705}, {82, 203, 5.4727}, {82, 204, 5.4803},
    {82, 205, 5.4828}, {82, 206, 5.4902}, {82, 207, 5.4943}, {82, 208, 5.5012}, {82, 209, 5.5100},
    {82, 210, 5.5208}, {82, 211, 5.5290}, {82, 212, 5.5396}, {82, 214, 5.5577}, {83, 202, 5.4840},
    {83, 203, 5.4911}, {83, 204, 5.4934}, {83, 205, 5.5008}, {83, 206, 5.5034}, {83, 207, 5.5103},
    {83, 208, 5.5147}, {83, 209, 5.5211}, {83, 210, 5.5300}, {83, 212, 5.5489}, {83, 213, 5.5586},
    {84, 192, 5.5220}, {84, 194, 5.5167}, {84, 196, 5.5136}, {84, 198, 5.5146}, {84, 200, 5.5199},
    {84, 202, 5.5281}, {84, 204, 5.5378}, {84, 205, 5.5389}, {84, 206, 5.5480}, {84, 207, 5.5501},
    {84, 208, 5.5584}, {84, 209, 5.5628}, {84, 210, 5.5704}, {84, 216, 5.6359}, {84, 218, 5.6558},
    {86, 202, 5.5521}, {86, 204, 5.5568}, {86, 205, 5.5569}, {86, 206, 5.5640}, {86, 207, 5.5652},
    {86, 208, 5.5725}, {86, 209, 5.5743}, {86, 210, 5.5813}, {86, 211, 5.5850}, {86, 212, 5.5915},
    {86, 218, 5.6540}, {86, 219, 5.6648}, {86, 220, 5.6731}, {86, 221, 5.6834}, {86, 222, 5.6915},
    {87, 207, 5.5720}, {87, 208, 5.5729}, {87, 209, 5.5799}, {87, 210, 5.5818}, {87, 211, 5.5882},
    {87, 212, 5.5915}, {87, 213, 5.5977}, {87, 220, 5.6688}, {87, 221, 5.6790}, {87, 222, 5.6890},
    {87, 223, 5.6951}, {87, 224, 5.7061}, {87, 225, 5.7112}, {87, 226, 5.7190}, {87, 227, 5.7335},
    {87, 228, 5.7399}, {88, 208, 5.5850}, {88, 209, 5.5853}, {88, 210, 5.5917}, {88, 211, 5.5929},
    {88, 212, 5.5991}, {88, 213, 5.6020}, {88, 214, 5.6079}, {88, 220, 5.6683}, {88, 221, 5.6795},
    {88, 222, 5.6874}, {88, 223, 5.6973}, {88, 224, 5.7046}, {88, 225, 5.7150}, {88, 226, 5.7211},
    {88, 227, 5.7283}, {88, 228, 5.7370}, {88, 229, 5.7455}, {88, 230, 5.7551}, {88, 232, 5.7714},
    {90, 227, 5.7404}, {90, 228, 5.7488}, {90, 229, 5.7557}, {90, 230, 5.7670}, {90, 232, 5.7848},
    {92, 233, 5.8203}, {92, 234, 5.8291}, {92, 235, 5.8337}, {92, 236, 5.8431}, {92, 238, 5.8571},
    {94, 238, 5.8535}, {94, 239, 5.8601}, {94, 240, 5.8701}, {94, 241, 5.8748}, {94, 242, 5.8823},
    {94, 244, 5.8948}, {95, 241, 5.8928}, {95, 243, 5.9048}, {96, 242, 5.8285}, {96, 244, 5.8429},
    {96, 245, 5.8475}, {96, 246, 5.8562}, {96, 248, 5.8687}};

/// Measured root-mean-square charge radius of a nucleus in its ground state, fm. Source: I. Angeli,
/// K. P. Marinova, At. Data Nucl. Data Tables 99, 69 (2013), 908 isotopes. Empty where the table has none.
std::optional<double> measuredRms(int z, int massNumber) {
  const auto found = std::find_if(std::begin(kIsotopes), std::end(kIsotopes),
                                  [&](const Isotope& i) { return i.z == z && i.massNumber == massNumber; });
  if (found == std::end(kIsotopes)) return std::nullopt;
  return found->rms;
}

/// Mass numbers of the isotopes of an element that have one, ascending.
std::vector<int> isotopesWithMeasuredRms(int z) {
  std::vector<int> list;
  for (const Isotope& i : kIsotopes) {
    if (i.z == z) list.push_back(i.massNumber);
  }
  return list;
}

}  // namespace

template <>
const Names<NuclearModel>& namesOf() {
  static const Names<NuclearModel> kNames = {{"point", NuclearModel::Point},
                                             {"sphere", NuclearModel::Sphere},
                                             {"Gaussian", NuclearModel::Gaussian},
                                             {"Fermi", NuclearModel::Fermi}};
  return kNames;
}

template <>
const Names<RadiusSource>& namesOf() {
  static const Names<RadiusSource> kNames = {{"given", RadiusSource::Given},
                                             {"formula", RadiusSource::Formula},
                                             {"experiment", RadiusSource::Experiment}};
  return kNames;
}

double Nucleus::potential(double r) const {
  switch (model) {
    case NuclearModel::Point:
      break;
    case NuclearModel::Sphere: {
      const double x = r / sphereRadius;
      if (x < 1.0) return -charge / (2.0 * sphereRadius) * (3.0 - x * x);
      break;
    }
    case NuclearModel::Gaussian:
      return -charge * std::erf(std::sqrt(exponent) * r) / r;
    case NuclearModel::Fermi:
      return -charge / fermiA * fermi::reducedPotential(r / fermiA, fermiC / fermiA);
  }
  return -charge / r;
}

double Nucleus::chargeDensity(double r) const {
  switch (model) {
    case NuclearModel::Point:
      break;
    case NuclearModel::Sphere:
      return r > sphereRadius ? 0 : 3 * charge / (4 * constants::kPi * std::pow(sphereRadius, 3));
    case NuclearModel::Gaussian:
      return charge * std::pow(exponent / constants::kPi, 1.5) * std::exp(-exponent * r * r);
    case NuclearModel::Fermi: {
      const double norm = 4 * constants::kPi * std::pow(fermiA, 3) * fermi::moment(2, fermiC / fermiA);
      return charge / (norm * (1 + std::exp((r - fermiC) / fermiA)));
    }
  }
  return 0;
}

// A Gaussian that widens obeys the diffusion equation, d rho/d<r^2> = (Laplacian rho)/6, so that its
// potential changes by 2 pi/3 of the density.
double Nucleus::potentialSlope(double r) const {
  switch (model) {
    case NuclearModel::Point:
      break;
    case NuclearModel::Sphere: {
      const double x = r / sphereRadius;  // <r^2> = 3/5 R^2
      return x > 1 ? 0 : 5 * charge * (1 - x * x) / (4 * std::pow(sphereRadius, 3));
    }
    case NuclearModel::Gaussian:
      return 2 * constants::kPi / 3 * chargeDensity(r);
    case NuclearModel::Fermi: {
      const double y = fermiC / fermiA;
      return -charge * fermi::reducedPotentialSlope(r / fermiA, y) /
             (std::pow(fermiA, 3) * fermi::meanSquareSlope(y));
    }
  }
  return 0;
}

std::string Nucleus::description() const {
  std::string text = nameOf(model) + (model == NuclearModel::Point ? " nucleus" : " charge distribution");
  text += fmt::format(", Z = {:.10g}", charge);
  if (massNumber > 0) text += fmt::format(", A = {}", massNumber);
  if (model == NuclearModel::Point) return text;
  const double fm = constants::kFemtometresPerBohr;
  text += fmt::format(", rms radius {:.6f} fm", rms * fm);
  if (rmsSource == RadiusSource::Experiment) text += " (measured, Angeli and Marinova 2013)";
  if (model == NuclearModel::Sphere) text += fmt::format(", radius {:.10e} bohr", sphereRadius);
  if (model == NuclearModel::Gaussian) text += fmt::format(", exponent {:.10e} bohr^-2", exponent);
  if (model == NuclearModel::Fermi)
    text += fmt::format(", half-density radius c = {:.6f} fm, skin t = {:.6g} fm", fermiC * fm,
                        4.0 * std::log(3.0) * fermiA * fm);
  return text;
}

namespace {

constexpr double kDefaultSkin = 2.30;                            // fm
constexpr double kSmallestSkin = 1e-3;                           // fm; a sharper edge is a sphere
constexpr double kSmallestLength = 1e-12, kLargestLength = 1.0;  // bohr: 5e-8 fm to 5e4 fm
constexpr double kLargestMassNumber = 1000.0;

void requirePositive(const std::optional<double>& value, const char* name) {
  if (value && !(std::isfinite(*value) && *value > 0.0))
    throw Error(fmt::format("the {} must be a positive number, but {:g} was given", name, *value));
}

void requireModel(const std::optional<double>& value, const char* name, NuclearModel model,
                  NuclearModel needed) {
  if (value && model != needed)
    throw Error(
        fmt::format("a {} belongs to the {} nucleus, but the nuclear model is {}: drop the {} or choose "
                    "nuclear model {}",
                    name, nameOf(needed), nameOf(model), name, static_cast<int>(needed)));
}

void checkRequest(const NucleusRequest& request) {
  requirePositive(request.charge, "nuclear charge");
  requirePositive(request.radius, "nuclear sphere radius");
  requirePositive(request.exponent, "Gaussian nuclear exponent");
  requirePositive(request.massNumber, "mass number");
  requirePositive(request.rmsFemtometres, "nuclear rms radius");
  requirePositive(request.skinFemtometres, "Fermi skin thickness");
  requireModel(request.radius, "sphere radius", request.model, NuclearModel::Sphere);
  requireModel(request.exponent, "Gaussian exponent", request.model, NuclearModel::Gaussian);
  requireModel(request.skinFemtometres, "skin thickness", request.model, NuclearModel::Fermi);
  if (request.massNumber && (*request.massNumber < 1.0 || *request.massNumber > kLargestMassNumber))
    throw Error(fmt::format("the mass number must lie between 1 and {}, but {:g} was given",
                            kLargestMassNumber, *request.massNumber));
  if (request.model == NuclearModel::Point && (request.rmsFemtometres || request.measuredRadius))
    throw Error(
        "an rms radius was given, but the nuclear model is point: drop it or choose nuclear model 2, 3 or 4");
}

/// Mass number of the request, else the default of the element; empty where Z is no element's charge.
std::optional<double> massNumberFor(const NucleusRequest& request) {
  if (request.massNumber) return request.massNumber;
  const double nearest = std::round(request.charge);
  if (std::abs(request.charge - nearest) > 1e-9 || nearest < 1 || nearest > kLastElement) return std::nullopt;
  return massNumberOf(static_cast<int>(nearest));
}

/// In bohr. Throws Error where the table lacks the isotope.
double measuredRmsFor(const NucleusRequest& request, const std::optional<double>& massNumber) {
  if (!massNumber)
    throw Error(
        fmt::format("the nuclear charge {:.10g} is not that of an element, so its radius was not measured",
                    request.charge));
  const int z = static_cast<int>(std::lround(request.charge)), a = static_cast<int>(std::lround(*massNumber));
  if (a != *massNumber)
    throw Error(fmt::format("a measured nuclear radius needs an isotope; the mass number {:g} is not whole",
                            *massNumber));
  if (const auto rms = measuredRms(z, a)) return *rms / constants::kFemtometresPerBohr;
  const std::vector<int> isotopes = isotopesWithMeasuredRms(z);
  throw Error(fmt::format(
      "the table of measured nuclear radii (Angeli and Marinova 2013) has none of {}-{}; {}", symbolOf(z), a,
      isotopes.empty()
          ? "nor of another isotope of this element: give rms, or leave the radius to the formula"
          : fmt::format("it has those of the isotopes {}", fmt::join(isotopes, ", "))));
}

double rmsFor(const NucleusRequest& request, const std::optional<double>& massNumber) {
  if (request.radius) return std::sqrt(0.6) * *request.radius;
  if (request.exponent) return std::sqrt(1.5 / *request.exponent);
  if (request.rmsFemtometres) return *request.rmsFemtometres / constants::kFemtometresPerBohr;
  if (massNumber) return defaultRms(*massNumber);
  throw Error(
      fmt::format("the nuclear charge {:.10g} is not that of an element, so it has no default size: give a "
                  "mass number or an rms radius",
                  request.charge));
}

void fillFermi(Nucleus& nucleus, double skin) {
  const double fm = constants::kFemtometresPerBohr;
  if (skin < kSmallestSkin)
    throw Error(fmt::format(
        "the Fermi skin thickness {:g} fm is below {:g} fm: use a finite sphere (nuclear model 2)", skin,
        kSmallestSkin));
  const double a = skin / (4.0 * std::log(3.0)) / fm;
  const double smallest = a * fermi::smallestRms();
  if (nucleus.rms < smallest)
    throw Error(fmt::format(
        "no Fermi distribution with a skin of {:.4g} fm has an rms radius of {:.4f} fm (the least "
        "is {:.4f} fm): choose a skin of {:.3f} fm or less, a larger rms radius, or a Gaussian "
        "nucleus (nuclear model 3)",
        skin, nucleus.rms * fm, smallest * fm, std::floor(1000.0 * skin * nucleus.rms / smallest) / 1000.0));
  nucleus.fermiA = a;
  nucleus.fermiC = a * fermi::halfDensityRadius(nucleus.rms / a);
}

}  // namespace

double defaultRms(double massNumber) {
  return (0.836 * std::cbrt(massNumber) + 0.570) / constants::kFemtometresPerBohr;
}

Nucleus makeNucleus(const NucleusRequest& request) {
  checkRequest(request);
  Nucleus nucleus;
  nucleus.model = request.model;
  nucleus.charge = request.charge;
  const bool sizeGiven = request.radius || request.exponent || request.rmsFemtometres;
  if (request.model == NuclearModel::Point || sizeGiven) {
    if (request.massNumber) nucleus.massNumber = static_cast<int>(std::lround(*request.massNumber));
    if (request.model == NuclearModel::Point) return nucleus;
  }
  const auto massNumber = massNumberFor(request);
  if (massNumber && !sizeGiven) nucleus.massNumber = static_cast<int>(std::lround(*massNumber));
  nucleus.rms = request.measuredRadius ? measuredRmsFor(request, massNumber) : rmsFor(request, massNumber);
  if (request.measuredRadius) nucleus.rmsSource = RadiusSource::Experiment;
  if (!request.measuredRadius && !sizeGiven) nucleus.rmsSource = RadiusSource::Formula;
  if (!(nucleus.rms >= kSmallestLength && nucleus.rms <= kLargestLength))
    throw Error(fmt::format("a nucleus of rms radius {:g} bohr is out of range; expected {:g} to {:g} bohr",
                            nucleus.rms, kSmallestLength, kLargestLength));
  if (request.model == NuclearModel::Sphere)
    nucleus.sphereRadius = request.radius ? *request.radius : std::sqrt(5.0 / 3.0) * nucleus.rms;
  if (request.model == NuclearModel::Gaussian)
    nucleus.exponent = request.exponent ? *request.exponent : 1.5 / (nucleus.rms * nucleus.rms);
  if (request.model == NuclearModel::Fermi)
    fillFermi(nucleus, request.skinFemtometres.value_or(kDefaultSkin));
  return nucleus;
}

}  // namespace prophet
